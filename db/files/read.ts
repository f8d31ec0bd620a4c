import { notFound, tooLarge } from '../../src/core/errors.js';
import type { OwnerFiles } from '../../src/core/file-store.js';
import { readBoundedText, readStart } from './bounded-text.js';
import { namesAlong } from './file-path.js';
import { browseFiles, listFiles } from './list.js';
import { openInside, type Opened, type Place } from './open-inside.js';

/** What can be done with the files in a folder without changing them. */
export function readFiles(home: string): Pick<OwnerFiles, 'read' | 'readBytes' | 'list' | 'browse' | 'open'> {
  return {
    async read(path, { maxChars }) {
      const place = { home, names: namesAlong(path) };
      return await using(place, ({ handle, size }) => readBoundedText(handle, size, maxChars));
    },

    async readBytes(path, { maxBytes }) {
      return await using({ home, names: namesAlong(path) }, (file) => wholeOf(file, maxBytes));
    },

    list: (filter, page) => listFiles(home, filter, page),

    browse: (folder, page) => browseFiles(home, folder, page),

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
  if (size <= maxBytes) return await readStart(handle, size);
  throw tooLarge(`The file is larger than the ${String(maxBytes)} bytes that can be worked on here.`);
}

/** The same words whether it is missing, a folder or led out: a reader learns nothing of what lies outside. */
export function missing(names: readonly string[]): never {
  throw notFound(`File ${names.join('/')}`);
}
