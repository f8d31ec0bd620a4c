import { lstat, mkdir, readdir, realpath, rmdir, unlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { badRequest, conflict, notFound } from '../../src/core/errors.js';
import { filePathFault } from '../../src/core/files.js';
import { type Arrived, syncFolder } from './incoming.js';
import { isFileSystemError, isInside, realPlace, whenUnreachable } from './open-inside.js';

const PRIVATE_FOLDER = 0o700;

/** Gives what has arrived its name, in folders that are made on the way. A link that bears the name is replaced. */
export async function nameFile(home: string, names: readonly string[], arrived: Arrived): Promise<void> {
  await refuseTwins(home, names);
  const parent = await createFolders(home, names.slice(0, -1));
  const name = names.at(-1) ?? '';
  await arrived.moveTo(join(parent, name)).catch(whenTaken([name]));
  await syncFolder(parent);
}

/** Takes a name away, and the folders that are empty then. False when no file bears it. */
export async function unnameFile(home: string, names: readonly string[]): Promise<boolean> {
  const folders = names.slice(0, -1);
  const root = await realpath(home).catch(whenUnreachable);
  const parent =
    folders.length === 0 ? root : await realPlace({ home, names: folders }).catch(whenUnreachable);
  if (root === undefined || parent === undefined) return false;
  const file = join(parent, names.at(-1) ?? '');
  const facts = await lstat(file).catch(whenUnreachable);
  if (!facts?.isFile() && !facts?.isSymbolicLink()) return false;
  await unlink(file);
  await syncFolder(parent);
  await removeEmpty(root, parent);
  return true;
}

async function removeEmpty(root: string, folder: string): Promise<void> {
  if (!isInside(root, folder)) return;
  const wasEmpty = await rmdir(folder).then(
    () => true,
    () => false,
  );
  if (wasEmpty) await removeEmpty(root, folder.slice(0, folder.lastIndexOf(sep)));
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

/** "Notes.md" beside "notes.md" would be two files here and one on the next system, so the second is refused. */
async function refuseTwins(home: string, names: readonly string[]): Promise<void> {
  let folder = home;
  for (const name of names) {
    const twin = ((await readdir(folder).catch(whenUnreachable)) ?? []).find((other) =>
      areTwins(name, other),
    );
    if (twin !== undefined) throw isTwin(name, twin);
    folder = join(folder, name);
  }
}

const TAKEN = new Set(['EEXIST', 'ENOTDIR', 'EISDIR', 'ENOENT', 'ELOOP', 'ENOTEMPTY']);

function whenTaken(names: readonly string[]): (error: unknown) => never {
  return (error) => {
    if (!isFileSystemError(error) || !TAKEN.has(error.code)) throw error;
    throw isTaken(names);
  };
}

export const isTwin = (name: string, twin: string) =>
  conflict(`"${twin}" is there already; "${name}" differs from it only in how it is written.`);

export const isTaken = (names: readonly string[]) =>
  conflict(
    `"${names.join('/')}" is there already, as a file where a folder is needed or the other way round.`,
  );

/** The names along a path, checked and in one spelling: "é" typed in two ways is one file. */
export function namesAlong(path: string): readonly string[] {
  const normal = path.normalize('NFC');
  const fault = filePathFault(normal);
  if (fault !== undefined) throw badRequest(`The file path ${fault}.`, 'path');
  return normal.split('/');
}

/** Names that some systems take for one and the same: here they never stand side by side. */
function areTwins(name: string, other: string): boolean {
  return name !== other && folded(name) === folded(other);
}

/** The same for all names that some system takes for one and the same. */
export function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}
