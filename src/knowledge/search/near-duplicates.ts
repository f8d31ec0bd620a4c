import type { StoredPassage } from '../../core/knowledge/passage.js';

/** How many of their word groups two texts must share to be one. */
const ALIKE = 0.9;
const SHINGLE = 3;
/** The share of the shorter of two neighbours that lies in the other as well. */
const OVERLAPPING = 0.5;

type Judged = Pick<StoredPassage, 'documentId' | 'sectionId' | 'start' | 'end' | 'text'>;

interface Seen {
  readonly passage: Judged;
  readonly folded: string;
  readonly shingles: ReadonlySet<string>;
}

/** Tells, of passages shown to it best first, whether each says something that no better one said. */
export function createNovelty(options: { readonly oncePerSection: boolean }): (passage: Judged) => boolean {
  const kept: Seen[] = [];
  return (passage) => {
    const seen = look(passage);
    const isKnown = kept.some(
      (better) =>
        (options.oncePerSection && better.passage.sectionId === passage.sectionId) ||
        overlap(better.passage, passage) ||
        better.folded === seen.folded ||
        areAlike(better.shingles, seen.shingles),
    );
    if (!isKnown) kept.push(seen);
    return !isKnown;
  };
}

function look(passage: Judged): Seen {
  const words =
    passage.text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const shingles = new Set<string>();
  for (let i = 0; i + SHINGLE <= words.length; i++) shingles.add(words.slice(i, i + SHINGLE).join(' '));
  // Without a word there is nothing to fold: formulas and drawings are compared as they are.
  const folded = words.length === 0 ? passage.text.trim() : words.join(' ');
  return { passage, folded, shingles };
}

function overlap(a: Judged, b: Judged): boolean {
  if (a.documentId !== b.documentId) return false;
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return shared > OVERLAPPING * Math.min(a.end - a.start, b.end - b.start);
}

/** By Jaccard's measure; what differs too much in size is not even counted. */
function areAlike(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  if (small.size === 0 || small.size < ALIKE * large.size) return false;
  let shared = 0;
  for (const shingle of small) if (large.has(shingle)) shared++;
  return shared >= ALIKE * (a.size + b.size - shared);
}
