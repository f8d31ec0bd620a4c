import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from './processes.js';

export interface OtherNode {
  readonly path: string;
  /** As it says it itself, such as `v24.21.0`. */
  readonly version: string;
}

const FOLDER = join(PROJECT_ROOT, 'node_modules/.cache/bench-node-24');

/** Node 24 as the npm package `node` brings it, fetched the first time; undefined where it cannot be had. */
export function findNode24(say: (line: string) => void): OtherNode | undefined {
  const path = join(FOLDER, 'node_modules/node/bin/node');
  if (!existsSync(path)) {
    say('fetching Node 24');
    const options = ['--no-audit', '--no-fund', '--fetch-retries=0', '--loglevel=error'];
    spawnSync('npm', ['install', '--prefix', FOLDER, ...options, 'node@24'], { stdio: 'ignore' });
  }
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return status === 0 ? { path, version: stdout.trim() } : undefined;
}
