import type { Page, PageRequest } from '../../src/core/base/ids.js';
import { badRequest } from '../../src/core/errors.js';
import { type FileFacts, type FileFilter, filePathFault, type FolderFacts } from '../../src/core/files.js';
import { folded } from '../query/search.js';
import { namesAlong } from './paths.js';

/** The files of one owner, wherever their names are kept. */
export interface FileTree {
  /** The paths of those below a folder, after a given one and in the order of JavaScript's comparison. */
  paths(folder: readonly string[], after: string): AsyncIterable<string>;
  /** Undefined when it has gone meanwhile. */
  facts(path: string): Promise<FileFacts | undefined>;
}

export async function listFiles(
  tree: FileTree,
  { folder, q }: FileFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<FileFacts>> {
  const names = folder === undefined ? [] : namesAlong(folder);
  const after = cursor === undefined ? '' : pathIn(cursor);
  const data: FileFacts[] = [];
  const wanted = folded(q ?? '');
  for await (const path of tree.paths(names, after)) {
    if (!folded(path).includes(wanted)) continue;
    const last = data.at(-1);
    if (data.length === limit && last) return { data, nextCursor: cursorAt(last.path) };
    const facts = await tree.facts(path);
    if (facts) data.push(facts);
  }
  return { data, nextCursor: null };
}

/** The same paths in the same order, with those below a folder counted together. */
export async function browseFiles(
  tree: FileTree,
  folder: string | undefined,
  { limit, cursor }: PageRequest,
): Promise<Page<FileFacts | FolderFacts>> {
  const names = folder === undefined ? [] : namesAlong(folder);
  let seen = cursor === undefined ? '' : pathIn(cursor);
  const data: (FileFacts | FolderFacts)[] = [];
  const above = names.map((name) => `${name}/`).join('');
  for await (const path of tree.paths(names, seen)) {
    const inner = folderOf(path, above);
    const last = data.at(-1);
    if (inner !== undefined && last?.path === inner && 'files' in last) {
      data[data.length - 1] = { path: inner, files: last.files + 1 };
    } else if (data.length === limit) return { data, nextCursor: cursorAt(seen) };
    else {
      const found = inner === undefined ? await tree.facts(path) : { path: inner, files: 1 };
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
