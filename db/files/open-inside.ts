import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { AppError, unavailable } from '../../src/core/errors.js';

export interface Opened {
  readonly handle: FileHandle;
  /** Where it is, with no link on the way. */
  readonly real: string;
  readonly size: number;
  readonly mode: number;
  readonly updatedAt: string;
}

// A link put in place at the last moment is not followed, and a pipe does not keep the reader waiting.
// Where a system lacks one of them, it is undefined and adds nothing.
const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A file that is replaced again and again while it is opened is looked for so often. */
const MOST_TRIES = 10;

const UNREACHABLE = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'EACCES',
  'EPERM',
  'EISDIR',
  'ENAMETOOLONG',
  'ENXIO',
  'ENODEV',
]);

export interface Place {
  /** The owner's folder. */
  readonly home: string;
  /** The folder in it that must not be left. */
  readonly within?: readonly string[];
  /** From the owner's folder to the file. */
  readonly names: readonly string[];
}

/** A regular file inside that place, or undefined: missing, a folder, a device, led out or unreadable are all one. */
export async function openInside(place: Place): Promise<Opened | undefined> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const opened = await openOnce(place).catch(whenUnreachable);
    if (opened !== 'replaced') return opened;
  }
  return undefined;
}

async function openOnce(place: Place): Promise<Opened | undefined | 'replaced'> {
  const real = await realPlace(place);
  if (real === undefined) return undefined;
  const handle = await open(real, READ_FLAGS);
  try {
    const facts = await handle.stat();
    const opened = await pathOf(handle);
    if (opened !== undefined && opened !== real) {
      await handle.close();
      return 'replaced';
    }
    // A folder may have been swapped for a link since we looked: what was opened must be what is inside now.
    const now = await lstat((await realPlace(place)) ?? '');
    const isSame = facts.dev === now.dev && facts.ino === now.ino;
    if (facts.isFile() && isSame) {
      const { size, mode, mtime } = facts;
      return { handle, real, size, mode: mode & 0o777, updatedAt: mtime.toISOString() };
    }
    await handle.close();
    return isSame ? undefined : 'replaced';
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Where the system says that what was opened is. Folders can be swapped for links and back again between any two looks
 * at a path, but not under an open file. Undefined where the system does not tell.
 */
async function pathOf({ fd }: FileHandle): Promise<string | undefined> {
  return readlink(`/proc/self/fd/${String(fd)}`).catch(() => undefined);
}

/** Where a place really is; undefined when that is outside. */
export async function realPlace({ home, within = [], names }: Place): Promise<string | undefined> {
  const [root, folder, real] = await Promise.all([
    realpath(home),
    realpath(join(home, ...within)),
    realpath(join(home, ...names)),
  ]);
  const isInStore = folder === root || isInside(root, folder);
  return isInStore && isInside(folder, real) ? real : undefined;
}

export function isInside(root: string, real: string): boolean {
  return real.startsWith(root + sep);
}

export function whenUnreachable(error: unknown): undefined {
  if (isFileSystemError(error) && UNREACHABLE.has(error.code)) return undefined;
  throw error;
}

export function isFileSystemError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/** For `catch`: undefined instead of a fault with one of these codes. */
export function except(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (isFileSystemError(error) && codes.includes(error.code)) return undefined;
    throw error;
  };
}

const FULL = new Set(['ENOSPC', 'EDQUOT']);
const NO_WRITING = new Set([...FULL, 'EROFS', 'EMFILE', 'ENFILE']);

/** A disk that takes nothing more is told of as such; it is nobody's fault, and may pass. */
export function whenDiskRefuses(error: unknown): never {
  if (error instanceof AppError || !isFileSystemError(error) || !NO_WRITING.has(error.code)) throw error;
  const why = FULL.has(error.code)
    ? 'The disk of the service is full. Whoever looks after it has to make room.'
    : 'The disk takes no files at the moment.';
  throw unavailable(`${why} Nothing was changed.`, 'storage_unavailable');
}
