import type { ExtractedPage } from '../../core/knowledge/extracted.js';
import type { Span } from './spans.js';

const BETWEEN_PAGES = '\n\n';

/** The pages of a document as one text, and where each of them is in it. */
export interface PageMap {
  readonly text: string;
  readonly pages: readonly Span[];
  /** The number of the page a place lies in. */
  pageAt(offset: number): number | undefined;
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
      return pages[low]?.page;
    },
  };
}
