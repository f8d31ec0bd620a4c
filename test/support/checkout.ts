import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from './child-process.js';

const execute = promisify(execFile);

const PARTS = ['src', 'agents', 'tools', 'db', 'web', 'docs', 'dist', 'package.json', 'package-lock.json'];
const SETTINGS = ['tsconfig.json', 'tsconfig.build.json', 'eslint.config.js', '.prettierrc.json'];

export interface Checkout {
  readonly root: string;
  remove(): Promise<void>;
}

/** The project as it was built, in a place of its own: with its times, by which a build knows what has changed. */
export async function makeCheckout(): Promise<Checkout> {
  const root = await mkdtemp(join(tmpdir(), 'bellwether-checkout-'));
  await mkdir(join(root, 'test', 'tools'), { recursive: true });
  await execute('cp', ['-a', ...[...PARTS, ...SETTINGS].map((part) => join(PROJECT_ROOT, part)), root]);
  await execute('cp', ['-a', join(PROJECT_ROOT, 'test', 'support'), join(root, 'test')]);
  await symlink(join(PROJECT_ROOT, 'node_modules'), join(root, 'node_modules'));
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}
