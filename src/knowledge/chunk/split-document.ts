import type { ExtractedDocument } from '../../core/knowledge/extracted.js';
import type { PassageDraft, SectionDraft } from '../../core/knowledge/passage.js';
import { type Block, blocksIn } from './blocks.js';
import { createOutline } from './headings.js';
import { createSections, type SectionWriter } from './sections.js';
import { mapPages, type PageMap } from './page-map.js';
import { piecesOf } from './pieces.js';
import { FEW_WORDS, HEADING_MAX } from './sizes.js';
import { lengthOf } from './spans.js';

export type DocumentToSplit = Pick<ExtractedDocument, 'format' | 'title' | 'pages'>;

/** Sections with the passages that lie in them; sections are numbered across the parts of one document. */
export interface DocumentPart {
  readonly sections: readonly SectionDraft[];
  readonly passages: readonly Omit<PassageDraft, 'terms'>[];
}

const PASSAGES_A_PART = 40;

/**
 * Cuts a document into what can be found, a part at a time and in its order. The text is that of all pages, a blank
 * line between them; `text.slice(start, end)` is a passage, but for rows of a table that have its head above them.
 */
export function splitDocument(document: DocumentToSplit): {
  readonly text: string;
  readonly parts: Iterable<DocumentPart>;
} {
  const map = mapPages(document.pages);
  return { text: map.text, parts: { [Symbol.iterator]: () => partsOf(document, map) } };
}

function* partsOf(document: DocumentToSplit, map: PageMap): Generator<DocumentPart> {
  const sections = createSections(map);
  const reader = createReader(document, sections);
  for (const page of map.pages) {
    reader.beginPage();
    for (const block of blocksIn(map.text, page)) {
      reader.read(block);
      for (const piece of piecesOf(map.text, block)) {
        sections.add(piece);
        if (sections.waiting() >= PASSAGES_A_PART) yield sections.take();
      }
    }
  }
  sections.end();
  if (sections.waiting() > 0) yield sections.take();
}

const NOTHING_YET = { level: 0, headings: 0, body: 0, size: 0 };

interface Reader {
  beginPage(): void;
  /** Before its pieces are added. */
  read(block: Block): void;
}

/** Decides where sections begin. */
function createReader({ format, title }: DocumentToSplit, sections: SectionWriter): Reader {
  const outline = createOutline(title);
  const isSlides = format === 'pptx';
  let open = NOTHING_YET;
  sections.begin(outline.title());

  const openUnder = (level: number) => {
    if (!goesWith(open, level)) {
      sections.end();
      open = NOTHING_YET;
    }
    open = { ...open, level, headings: open.headings + 1 };
    sections.begin(outline.title());
  };
  return {
    beginPage() {
      if (!isSlides) return;
      sections.end();
      outline.reset();
      open = NOTHING_YET;
      sections.begin(outline.title());
    },
    read(block) {
      const opens = opensSection(block, format, open.headings);
      if (opens) {
        outline.open(block.level, block.title);
        openUnder(block.level);
      }
      const size = lengthOf(block);
      open = { ...open, size: open.size + size, body: open.body + (opens ? 0 : size) };
    },
  };
}

type Heading = Extract<Block, { kind: 'heading' }>;

/** In rows of a table nothing is a heading, and a slide has one. */
function opensSection(block: Block, format: DocumentToSplit['format'], headings: number): block is Heading {
  if (block.kind !== 'heading' || format === 'csv') return false;
  return format !== 'pptx' || headings === 0;
}

/** A heading with nothing to speak of below it goes with the next; a few words only with what is under them. */
function goesWith(open: typeof NOTHING_YET, level: number): boolean {
  if (open.size > HEADING_MAX) return false;
  return open.body === 0 || (open.body <= FEW_WORDS && level > open.level);
}
