import { oneLine } from '../core/base/text.js';
import type { FoundPassage } from '../core/knowledge/embedder.js';

const LONGEST_SECTION = 60;

/** Where a passage stands, as a reader would say it: "Biology.pdf, p. 4 – Photosynthesis". */
export function passageTitle({ filename, page, page_end, section }: FoundPassage['metadata']): string {
  const pages =
    page_end === undefined || page_end === page
      ? `p. ${String(page)}`
      : `pp. ${String(page)}–${String(page_end)}`;
  // Of the headings above it the nearest says most.
  const heading = oneLine(section?.split(' › ').at(-1) ?? '', LONGEST_SECTION);
  return `${filename}${page === undefined ? '' : `, ${pages}`}${heading === '' ? '' : ` – ${heading}`}`;
}
