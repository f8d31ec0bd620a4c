/** No character of a JavaScript string takes more than three bytes of UTF-8. */
const BYTES_PER_CHAR = 3;
/** A byte order mark, one character cut in two, and one more to know that there is more. */
const SPARE_BYTES = 9;

/** How many bytes of a file suffice for the beginning of its text, however large it is. */
export function bytesOfText(size: number, maxChars: number): number {
  return Math.min(size, maxChars * BYTES_PER_CHAR + SPARE_BYTES);
}

/** The beginning of a file of this size as text, out of so many bytes. */
export function boundedText(
  bytes: Uint8Array,
  size: number,
  maxChars: number,
): { readonly text: string; readonly cut: boolean } {
  // Not flushed when there is more: a character cut in two at the end is left out rather than garbled.
  const text = new TextDecoder().decode(bytes, { stream: bytes.length < size });
  return text.length > maxChars ? { text: wholeCharacters(text, maxChars), cut: true } : { text, cut: false };
}

function wholeCharacters(text: string, maxChars: number): string {
  const splitsPair = /[\uD800-\uDBFF]/.test(text.charAt(maxChars - 1));
  return text.slice(0, splitsPair ? maxChars - 1 : maxChars);
}
