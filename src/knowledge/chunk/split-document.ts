import type { ExtractedDocument } from '../../core/knowledge/extracted.js';
import { HEADING_SEPARATOR, type PassageDraft, type SectionDraft } from '../../core/knowledge/passage.js';
import { type Block, blocksIn } from './blocks.js';
import { piecesOf } from './pieces.js';
import { createSections, type SectionWriter } from './sections.js';
import { FEW_WORDS, HEADING_MAX, lengthOf, mapPages, type PageMap } from './spans.js';

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
    sections.endPage();
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
  const isSlides = SLIDES.has(format);
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

const SLIDES: ReadonlySet<DocumentToSplit['format']> = new Set(['pptx', 'odp']);

type Heading = Extract<Block, { kind: 'heading' }>;

/** In rows of a table nothing is a heading, and a slide has one. */
function opensSection(block: Block, format: DocumentToSplit['format'], headings: number): block is Heading {
  if (block.kind !== 'heading' || format === 'csv') return false;
  return !SLIDES.has(format) || headings === 0;
}

/** A heading with nothing to speak of below it goes with the next; a few words only with what is under them. */
function goesWith(open: typeof NOTHING_YET, level: number): boolean {
  if (open.size > HEADING_MAX) return false;
  return open.body === 0 || (open.body <= FEW_WORDS && level > open.level);
}

/** The headings above a place, as they open one after the other. */
export interface Outline {
  open(level: number, heading: string): void;
  reset(): void;
  /** Outermost first; with the document's own title unless it is one of them. */
  title(): string;
}

const NO_TITLE =
  /^(?:untitled|unknown|(?:new )?(?:document|presentation|slide|page) ?\d*|powerpoint presentation|microsoft (?:word|powerpoint|excel) ?-.*|.*\.(?:pdf|docx?|pptx?|xlsx?|od[tsp]|epub|rtf|html?|md|txt|csv|srt|vtt|tex|dvi|indd))$/i;

function createOutline(documentTitle: string | undefined): Outline {
  const above = usefulTitle(documentTitle);
  let path: readonly { readonly level: number; readonly title: string }[] = [];
  return {
    open(level, heading) {
      const title = plainTitle(heading);
      path = path.filter((one) => one.level < level);
      if (title !== '') path = [...path, { level, title }];
    },
    reset() {
      path = [];
    },
    title() {
      const headings = path.map(({ title }) => title);
      // In Word and on web pages the title is often a heading of the same level as the chapters below it.
      const isSaid = above === '' || headings.some((one) => one.toLowerCase() === above.toLowerCase());
      return (isSaid ? headings : [above, ...headings]).join(HEADING_SEPARATOR);
    },
  };
}

function usefulTitle(title: string | undefined): string {
  const plain = plainTitle(title ?? '');
  return /\p{L}.*\p{L}/u.test(plain) && !NO_TITLE.test(plain) ? plain : '';
}

/** As it reads, without the marks of Markdown. */
function plainTitle(heading: string): string {
  return heading
    .slice(0, HEADING_MAX)
    .replace(/[ \t]#+[ \t]*$/, '')
    .replace(/!?\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/\\([^\p{L}\p{N}\s])/gu, '$1')
    .replace(/\*\*|__|`|(?<!\p{L})[*_]|[*_](?!\p{L})/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
