import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { badRequest } from '../../src/core/errors.js';
import { filePathFault } from '../../src/core/file-path.js';
import type { FileFacts, FileFilter } from '../../src/core/file-store.js';
import type { Page, PageRequest } from '../../src/core/page.js';
import { namesAlong } from '../file-path.js';
import { whenUnreachable } from './open-inside.js';
import { factsOf, walk } from './walk.js';

export async function listFiles(
  home: string,
  { folder, q }: FileFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<FileFacts>> {
  const names = folder === undefined ? [] : namesAlong(folder);
  const after = cursor === undefined ? '' : pathIn(cursor);
  const data: FileFacts[] = [];
  if (!(await isPlainFolder(home, names))) return { data, nextCursor: null };

  const wanted = q?.normalize('NFC').toLowerCase() ?? '';
  for await (const path of walk(home, names.map((name) => `${name}/`).join(''), after)) {
    if (!path.toLowerCase().includes(wanted)) continue;
    const last = data.at(-1);
    if (data.length === limit && last) return { data, nextCursor: cursorAt(last.path) };
    const facts = await factsOf(home, path);
    if (facts) data.push(facts);
  }
  return { data, nextCursor: null };
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
