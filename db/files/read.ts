import type { FileHandle } from 'node:fs/promises';
import { notFound, tooLarge } from '../../src/core/errors.js';
import type { OwnerFiles } from '../../src/core/files.js';
import { boundedText, bytesOfText } from './bounded-text.js';
import { treeOnDisk } from './list.js';
import { type Opened, openInside, type Place } from './open-inside.js';
import { browseFiles, listFiles } from './pages.js';
import { namesAlong } from './paths.js';

/** What can be done with the files in a folder without changing them. */
export function readFiles(home: string): Pick<OwnerFiles, 'read' | 'readBytes' | 'list' | 'browse' | 'open'> {
  const tree = treeOnDisk(home);
  return {
    async read(path, { maxChars }) {
      const place = { home, names: namesAlong(path) };
      return await using(place, async ({ handle, size }) =>
        boundedText(await readStart(handle, bytesOfText(size, maxChars)), size, maxChars),
      );
    },

    async readBytes(path, { maxBytes }) {
      return await using({ home, names: namesAlong(path) }, (file) => wholeOf(file, maxBytes));
    },

    list: (filter, page) => listFiles(tree, filter, page),

    browse: (folder, page) => browseFiles(tree, folder, page),

    async open(path) {
      const names = namesAlong(path);
      const { handle, size, updatedAt } = (await openInside({ home, names })) ?? missing(names);
      return {
        path: names.join('/'),
        size,
        updatedAt,
        bytes: () => handle.createReadStream({ start: 0, end: Math.max(0, size - 1) }),
        close: () => handle.close(),
      };
    },
  };
}

/** Opens a file for as long as the work takes. */
export async function using<T>(place: Place, work: (file: Opened) => Promise<T>): Promise<T> {
  const file = (await openInside(place)) ?? missing(place.names);
  try {
    return await work(file);
  } finally {
    await file.handle.close();
  }
}

export async function wholeOf({ handle, size }: Opened, maxBytes: number): Promise<Uint8Array> {
  mustBeWorkable(size, maxBytes);
  return await readStart(handle, size);
}

export function mustBeWorkable(size: number, maxBytes: number): void {
  if (size <= maxBytes) return;
  throw tooLarge(`The file is larger than the ${String(maxBytes)} bytes that can be worked on here.`);
}

/** The same words whether it is missing, a folder or led out: a reader learns nothing of what lies outside. */
export function missing(names: readonly string[]): never {
  throw notFound(`File ${names.join('/')}`);
}

async function readStart(file: FileHandle, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
