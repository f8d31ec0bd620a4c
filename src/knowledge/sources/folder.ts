import { constants } from 'node:fs';
import { lstat, open, readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { AppError, forbidden } from '../../core/errors.js';
import type { SourceSettings } from '../../core/knowledge/source.js';
import type { SourceFaultCode } from '../../core/knowledge/source-faults.js';
import { isTextDocument } from '../extract/format.js';
import { failureOf, faultOf, refusal } from './faults.js';
import { fitsAny } from './file-patterns.js';
import type { Brought, SourceItem, SourceReader, WantedItem } from './reader.js';

type Folder = Extract<SourceSettings, { kind: 'folder' }>;

/** More entries than this are not gone through. */
const MOST_ENTRIES = 50_000;
const DEEPEST = 30;
const NOT_ALLOWED =
  'This folder is not among those that the administrator of this service allows (SOURCE_FOLDERS), or is not there.';

/** Where the folder really is, if it lies in one that is allowed. */
export async function allowedFolder(path: string, allowed: readonly string[]): Promise<string> {
  const real = isAbsolute(path) ? await realpath(path).catch(() => undefined) : undefined;
  for (const folder of real === undefined ? [] : allowed) {
    const root = await realpath(folder).catch(() => undefined);
    if (root !== undefined && real !== undefined && isInside(real, root)) return real;
  }
  throw forbidden(NOT_ALLOWED, { reason: 'folder_not_allowed' satisfies SourceFaultCode });
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Files below a folder of the server. Links are not followed, wherever they lead. */
export function folderReader({ path, files }: Folder, allowed: readonly string[]): SourceReader {
  return {
    async list(signal) {
      const root = await allowedFolder(path, allowed);
      const items: SourceItem[] = [];
      let skipped = 0;
      for await (const { way, version } of filesBelow(root, signal)) {
        if (isTextDocument(way) && fitsAny(way, files)) items.push({ key: way, name: nameOf(way), version });
        else skipped += 1;
      }
      items.sort((a, b) => (a.key < b.key ? -1 : 1));
      return { items, skipped };
    },

    async *bring(wanted, signal) {
      const root = await allowedFolder(path, allowed);
      for (const item of wanted) {
        signal.throwIfAborted();
        yield await read(root, item);
      }
    },
  };
}

const nameOf = (way: string): string => way.split('/').at(-1) ?? way;

async function* filesBelow(
  root: string,
  signal: AbortSignal,
): AsyncGenerator<{ readonly way: string; readonly version: string }> {
  const folders = [''];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
      signal.throwIfAborted();
      if (++seen > MOST_ENTRIES)
        throw refusal(
          'folder_too_many_files',
          `The folder holds more than ${String(MOST_ENTRIES)} files. Choose one in it.`,
          MOST_ENTRIES,
        );
      if (entry.name.startsWith('.')) continue;
      const way = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && way.split('/').length < DEEPEST) folders.push(way);
      if (!entry.isFile()) continue;
      const facts = await lstat(join(root, way));
      yield { way, version: `${String(facts.mtimeMs)} ${String(facts.size)}` };
    }
  }
}

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

async function read(root: string, item: WantedItem): Promise<Brought> {
  try {
    const path = join(root, item.key);
    const handle = await open(path, FLAGS);
    try {
      const [opened, there] = [await handle.stat(), await lstat(await realpath(path))];
      // A folder on the way may have become a link since it was listed.
      const isStill = (await realpath(path)) === path && opened.ino === there.ino && opened.dev === there.dev;
      if (!isStill || !opened.isFile()) throw refusal('folder_no_file', 'It is no plain file any more.');
    } catch (fault) {
      await handle.close();
      throw fault;
    }
    const { name, version } = item;
    return { item, outcome: 'brought', name, version, bytes: handle.createReadStream() };
  } catch (thrown) {
    if ((thrown as { readonly code?: unknown }).code === 'ENOENT') return { item, outcome: 'gone' };
    const fault =
      thrown instanceof AppError
        ? failureOf(thrown)
        : faultOf('folder_unreadable', 'The service may not read it.');
    return { item, outcome: 'failed', fault };
  }
}
