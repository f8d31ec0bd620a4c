import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileFacts, filePathFault } from '../../src/core/files.js';
import { except, whenUnreachable } from './open-inside.js';
import type { FileTree } from './pages.js';

/** The files in a folder of the disk. */
export function treeOnDisk(home: string): FileTree {
  return {
    async *paths(names, after) {
      if (await isPlainFolder(home, names))
        yield* walk(home, names.map((name) => `${name}/`).join(''), after);
    },
    facts: (path) => factsOf(home, path),
  };
}

/** There, and without a link on the way: one that leads out would list what is not theirs. */
async function isPlainFolder(home: string, names: readonly string[]): Promise<boolean> {
  const [root = '', real] =
    (await Promise.all([realpath(home), realpath(join(home, ...names))]).catch(whenUnreachable)) ?? [];
  return real === join(root, ...names);
}

/**
 * The paths of the files below a folder that have a path of their own, in the order of their paths and after a given
 * one. Links are passed over: what they lead to is listed where it is, or not ours.
 */
export async function* walk(home: string, folder = '', after = ''): AsyncGenerator<string> {
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
