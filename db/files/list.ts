import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, PageRequest } from '../../src/core/base/ids.js';
import { badRequest } from '../../src/core/errors.js';
import { type FileFacts, type FileFilter, filePathFault, type FolderFacts } from '../../src/core/files.js';
import { folded } from '../query/search.js';
import { except, whenUnreachable } from './open-inside.js';
import { namesAlong } from './paths.js';

export async function listFiles(
  home: string,
  { folder, q }: FileFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<FileFacts>> {
  const names = folder === undefined ? [] : namesAlong(folder);
  const after = cursor === undefined ? '' : pathIn(cursor);
  const data: FileFacts[] = [];
  if (!(await isPlainFolder(home, names))) return { data, nextCursor: null };

  const wanted = folded(q ?? '');
  for await (const path of walk(home, names.map((name) => `${name}/`).join(''), after)) {
    if (!folded(path).includes(wanted)) continue;
    const last = data.at(-1);
    if (data.length === limit && last) return { data, nextCursor: cursorAt(last.path) };
    const facts = await factsOf(home, path);
    if (facts) data.push(facts);
  }
  return { data, nextCursor: null };
}

/** The same paths in the same order, with those below a folder counted together. */
export async function browseFiles(
  home: string,
  folder: string | undefined,
  { limit, cursor }: PageRequest,
): Promise<Page<FileFacts | FolderFacts>> {
  const names = folder === undefined ? [] : namesAlong(folder);
  let seen = cursor === undefined ? '' : pathIn(cursor);
  const data: (FileFacts | FolderFacts)[] = [];
  if (!(await isPlainFolder(home, names))) return { data, nextCursor: null };

  const above = names.map((name) => `${name}/`).join('');
  for await (const path of walk(home, above, seen)) {
    const inner = folderOf(path, above);
    const last = data.at(-1);
    if (inner !== undefined && last?.path === inner && 'files' in last) {
      data[data.length - 1] = { path: inner, files: last.files + 1 };
    } else if (data.length === limit) return { data, nextCursor: cursorAt(seen) };
    else {
      const found = inner === undefined ? await factsOf(home, path) : { path: inner, files: 1 };
      if (found) data.push(found);
    }
    seen = path;
  }
  return { data, nextCursor: null };
}

/** The folder directly inside another one that a path goes through. */
function folderOf(path: string, above: string): string | undefined {
  const end = path.indexOf('/', above.length);
  return end === -1 ? undefined : path.slice(0, end);
}

/** There, and without a link on the way: one that leads out would list what is not theirs. */
async function isPlainFolder(home: string, names: readonly string[]): Promise<boolean> {
  const [root = '', real] =
    (await Promise.all([realpath(home), realpath(join(home, ...names))]).catch(whenUnreachable)) ?? [];
  return real === join(root, ...names);
}

function cursorAt(path: string): string {
  return Buffer.from(path).toString('base64url');
}

function pathIn(cursor: string): string {
  const path = Buffer.from(cursor, 'base64url').toString();
  if (filePathFault(path) !== undefined) {
    throw badRequest('The cursor is not one that an earlier page gave.', 'cursor');
  }
  return path;
}

/**
 * The paths of the files below a folder that have a path of their own, in the order of their paths and after a given
 * one. Links are passed over: what they lead to is listed where it is, or not ours.
 */
async function* walk(home: string, folder = '', after = ''): AsyncGenerator<string> {
  const entries = await readdir(join(home, folder), { withFileTypes: true }).catch(
    except('ENOENT', 'ENOTDIR'),
  );
  // With its slash, a folder sorts exactly where the paths below it do.
  const paths = (entries ?? [])
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .map((entry) => folder + entry.name + (entry.isDirectory() ? '/' : ''))
    .sort((a, b) => (a < b ? -1 : 1));
  for (const path of paths) {
    if (path.endsWith('/')) {
      if (path > after || after.startsWith(path)) yield* walk(home, path, after);
    } else if (path > after && isNameable(path)) yield path;
  }
}

/** Undefined when it has gone meanwhile. */
export async function factsOf(home: string, path: string): Promise<FileFacts | undefined> {
  const facts = await lstat(join(home, path)).catch(except('ENOENT', 'ENOTDIR'));
  return facts?.isFile() ? { path, size: facts.size, updatedAt: facts.mtime.toISOString() } : undefined;
}

/** What all files below a folder take. */
export async function bytesBelow(home: string): Promise<number> {
  let sum = 0;
  for await (const path of walk(home)) sum += (await factsOf(home, path))?.size ?? 0;
  return sum;
}

function isNameable(path: string): boolean {
  return path === path.normalize('NFC') && filePathFault(path) === undefined;
}
