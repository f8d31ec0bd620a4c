import type { FileHandle } from 'node:fs/promises';

/** No character of a JavaScript string takes more than three bytes of UTF-8. */
const BYTES_PER_CHAR = 3;
/** A byte order mark, one character cut in two, and one more to know that there is more. */
const SPARE_BYTES = 9;

/** The beginning of a file as text: as many bytes as that can take and no more, however large the file. */
export async function readBoundedText(
  file: FileHandle,
  size: number,
  maxChars: number,
): Promise<{ readonly text: string; readonly cut: boolean }> {
  const bytes = await readStart(file, Math.min(size, maxChars * BYTES_PER_CHAR + SPARE_BYTES));
  // Not flushed when there is more: a character cut in two at the end is left out rather than garbled.
  const text = new TextDecoder().decode(bytes, { stream: bytes.length < size });
  return text.length > maxChars ? { text: wholeCharacters(text, maxChars), cut: true } : { text, cut: false };
}

export async function readStart(file: FileHandle, length: number): Promise<Uint8Array> {
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
