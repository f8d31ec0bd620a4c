/** A place in the text of a whole document, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const WHITE = /\s/;

export function lengthOf({ start, end }: Span): number {
  return end - start;
}

/** Without white space at its borders; undefined when it is nothing else. */
export function trimmed(text: string, { start, end }: Span): Span | undefined {
  let first = start;
  let last = end;
  while (first < last && WHITE.test(text.charAt(first))) first += 1;
  while (last > first && WHITE.test(text.charAt(last - 1))) last -= 1;
  return first < last ? { start: first, end: last } : undefined;
}
