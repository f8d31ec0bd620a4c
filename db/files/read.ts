import type { FileHandle } from 'node:fs/promises';
import { notFound, tooLarge } from '../../src/core/errors.js';
import type { OwnerFiles } from '../../src/core/files.js';
import { browseFiles, listFiles } from './list.js';
import { type Opened, openInside, type Place } from './open-inside.js';
import { namesAlong } from './paths.js';

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

/** No character of a JavaScript string takes more than three bytes of UTF-8. */
const BYTES_PER_CHAR = 3;
/** A byte order mark, one character cut in two, and one more to know that there is more. */
const SPARE_BYTES = 9;

/** The beginning of a file as text: as many bytes as that can take and no more, however large the file. */
async function readBoundedText(
  file: FileHandle,
  size: number,
  maxChars: number,
): Promise<{ readonly text: string; readonly cut: boolean }> {
  const bytes = await readStart(file, Math.min(size, maxChars * BYTES_PER_CHAR + SPARE_BYTES));
  // Not flushed when there is more: a character cut in two at the end is left out rather than garbled.
  const text = new TextDecoder().decode(bytes, { stream: bytes.length < size });
  return text.length > maxChars ? { text: wholeCharacters(text, maxChars), cut: true } : { text, cut: false };
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

function wholeCharacters(text: string, maxChars: number): string {
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1));
  return text.slice(0, splitsPair ? maxChars - 1 : maxChars);
}
