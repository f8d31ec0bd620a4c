import type { PassageDraft, SectionDraft } from '../../core/knowledge/passage.js';
import { createPacker, type PackedPassage, sizeOf } from './pack-passages.js';
import type { Piece } from './pieces.js';
import { type PageMap, SECTION_MAX } from './spans.js';

interface Part {
  readonly sections: SectionDraft[];
  readonly passages: Omit<PassageDraft, 'terms'>[];
}

/** Gathers passages under their sections. */
export interface SectionWriter {
  /** Names the section; what it has so far stays in it. */
  begin(title: string): void;
  add(piece: Piece): void;
  /** No passage goes on beyond it, so that a citation names the page its words are on. */
  endPage(): void;
  end(): void;
  /** How many passages can be taken. */
  waiting(): number;
  take(): Part;
}

const WORTH_FINDING = /[\p{L}\p{N}]/u;

export function createSections(map: PageMap): SectionWriter {
  const packer = createPacker();
  let done: Part = { sections: [], passages: [] };
  let count = 0;
  let title = '';
  let gathered: PackedPassage[] = [];

  const close = () => {
    const [first] = gathered;
    const last = gathered.at(-1);
    if (!first || !last) return;
    const section = count;
    done.sections.push({
      title,
      page: map.pageAt(first.start).page,
      start: first.start,
      end: last.end,
      text: textOf(map, { ...first, end: last.end }),
    });
    done.passages.push(...gathered.map((passage) => draft(map, passage, section)));
    count += 1;
    gathered = [];
  };
  const gather = (passage: PackedPassage | undefined) => {
    if (!passage || !WORTH_FINDING.test(map.text.slice(passage.start, passage.end))) return;
    const [first] = gathered;
    if (first && sizeOf({ ...first, end: passage.end }) > SECTION_MAX) close();
    gathered.push(passage);
  };
  return {
    begin(given) {
      title = given;
    },
    add(piece) {
      gather(packer.add(piece));
    },
    endPage() {
      packer.finishPage().forEach(gather);
    },
    end() {
      packer.finish().forEach(gather);
      close();
    },
    waiting: () => done.passages.length,
    take() {
      const taken = done;
      done = { sections: [], passages: [] };
      return taken;
    },
  };
}

function draft(map: PageMap, passage: PackedPassage, section: number): Omit<PassageDraft, 'terms'> {
  const { start, end, body = start } = passage;
  return {
    section,
    page: map.pageAt(body).page,
    pageEnd: map.pageAt(end - 1).page,
    start,
    end,
    text: textOf(map, passage),
    origin: map.pageAt(body).origin,
  };
}

function textOf({ text }: PageMap, { start, end, head }: PackedPassage): string {
  const own = text.slice(start, end);
  return head ? `${text.slice(head.start, head.end)}\n${own}` : own;
}
