import type { ExtractedPage } from '../../core/knowledge/extracted.js';

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

/**
 * In UTF-16 units. A passage of this length is read whole by small embedding models, which see some 256 tokens, and is
 * about one thought long.
 */
export const PASSAGE_TARGET = 900;
/** What is smaller takes in what follows, or is taken in by what came before. */
export const PASSAGE_SMALL = 250;
/** A block up to this length stays whole, which leaves room for the heading above it. */
export const WHOLE_BLOCK = 1_200;
export const PASSAGE_MAX = 1_400;
/** What a model is given as the surroundings of a passage. */
export const SECTION_MAX = 4_000;
/** A sentence up to this length is repeated where a paragraph is cut after it. */
export const OVERLAP_MAX = 250;
/** The head of a table up to this length is repeated where the table is cut. */
export const TABLE_HEAD_MAX = 500;
/** A longer line is no heading, whatever it begins with. */
export const HEADING_MAX = 200;
/** A section whose text is not longer goes with the one below it. */
export const FEW_WORDS = 60;

const BETWEEN_PAGES = '\n\n';

/** The pages of a document as one text, and where each of them is in it. */
export interface PageMap {
  readonly text: string;
  readonly pages: readonly Span[];
  /** The page a place lies in. */
  pageAt(offset: number): Pick<ExtractedPage, 'page' | 'origin'>;
}

export function mapPages(pages: readonly ExtractedPage[]): PageMap {
  let at = 0;
  const spans = pages.map(({ markdown }) => {
    const span = { start: at, end: at + markdown.length };
    at = span.end + BETWEEN_PAGES.length;
    return span;
  });
  return {
    text: pages.map(({ markdown }) => markdown).join(BETWEEN_PAGES),
    pages: spans,
    pageAt(offset) {
      let low = 0;
      let high = spans.length - 1;
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((spans[middle]?.start ?? 0) <= offset) low = middle;
        else high = middle - 1;
      }
      return pages[low] ?? { page: undefined };
    },
  };
}
