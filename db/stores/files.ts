import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, realpath, rename, rm, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { conflict, notFound } from '../../src/core/errors.js';
import type { FileStore } from '../../src/core/stores.js';
import { readBoundedText } from '../bounded-text.js';
import { isRowId } from '../column-values.js';
import { namesAlong } from '../file-path.js';

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;

/** Beside the owners' folders, where no path of theirs can reach a half-written file. */
const INCOMING = '.incoming';

// A link put in place at the last moment is not followed, and a pipe does not keep the reader waiting.
// Where a system lacks one of them, it is undefined and adds nothing.
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Private files on disk, one folder for each user. */
export function createFileStore(folder: string): FileStore {
  return {
    ofOwner(userId) {
      if (!isRowId(userId)) throw new RangeError('A file owner must be the id of a user.');
      const home = join(folder, String(userId));
      return {
        async read(path, { maxChars }) {
          const names = namesAlong(path);
          const file = await openInside(home, names);
          // The same words whether it is missing, a folder or led out: a reader learns nothing of what lies outside.
          if (!file) throw notFound(`File ${names.join('/')}`);
          try {
            return await readBoundedText(file.handle, file.size, maxChars);
          } finally {
            await file.handle.close();
          }
        },

        async readBytes(path, { maxBytes }) {
          const names = namesAlong(path);
          const file = await openInside(home, names);
          try {
            if (!file || file.size > maxBytes) throw notFound(`File ${names.join('/')}`);
            return await file.handle.readFile();
          } finally {
            await file?.handle.close();
          }
        },

        async write(path, bytes) {
          const names = namesAlong(path);
          const parent = await createFolders(home, names.slice(0, -1));
          const incoming = await createFolder(join(folder, INCOMING));
          await replaceFile(join(parent, names.at(-1) ?? ''), join(incoming, randomUUID()), bytes);
          await sync(parent);
        },
      };
    },
  };
}

const UNREACHABLE = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EACCES',
  'EPERM',
  'EISDIR',
  'ENAMETOOLONG',
  'ENXIO',
]);

async function openInside(home: string, names: readonly string[]) {
  try {
    const [root, real] = await Promise.all([realpath(home), realpath(join(home, ...names))]);
    if (!isInside(root, real)) return undefined;
    return await openRegular(real);
  } catch (error) {
    if (isFileSystemError(error) && UNREACHABLE.has(error.code)) return undefined;
    throw error;
  }
}

async function openRegular(real: string): Promise<{ handle: FileHandle; size: number } | undefined> {
  const handle = await open(real, READ_FLAGS);
  const facts = await handle.stat();
  if (facts.isFile()) return { handle, size: facts.size };
  await handle.close();
  return undefined;
}

/** One level at a time, each checked before the next: a link must not make us build folders somewhere else. */
async function createFolders(home: string, names: readonly string[]): Promise<string> {
  const root = await createFolder(home);
  let folder = root;
  for (const name of names) {
    folder = await createFolder(join(folder, name)).catch(whenTaken(names));
    if (!isInside(root, folder)) throw notFound(`Folder ${names.join('/')}`);
  }
  return folder;
}

async function createFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
  return realpath(folder);
}

/** Readers see the old file or the new one, never a half; the new one is on disk before it takes the name. */
async function replaceFile(target: string, temporary: string, bytes: Uint8Array): Promise<void> {
  try {
    const handle = await open(temporary, 'wx', PRIVATE_FILE);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target).catch(whenTaken([target.slice(target.lastIndexOf(sep) + 1)]));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** The new name itself must survive a power cut. Some systems cannot sync a folder; there it is their business. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

function isInside(root: string, real: string): boolean {
  return real.startsWith(root + sep);
}

const TAKEN = new Set(['EEXIST', 'ENOTDIR', 'EISDIR', 'ENOENT', 'ELOOP']);

function whenTaken(names: readonly string[]): (error: unknown) => never {
  return (error) => {
    if (!isFileSystemError(error) || !TAKEN.has(error.code)) throw error;
    throw conflict(
      `"${names.join('/')}" is there already, as a file where a folder is needed or the other way round.`,
    );
  };
}

function isFileSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}
