import type { FindingReasons } from '../../core/knowledge/embedder.js';
import type { StoredPassage } from '../../core/knowledge/passage.js';
import type { Ranked } from './bm25.js';

/** Of reciprocal rank fusion: how little it matters who is first rather than second. */
const K = 60;

export interface Fused extends Ranked {
  readonly reasons: FindingReasons;
}

/**
 * Both lists as one, by reciprocal rank, what is pinned first. Each list's vote counts as much as the passage is similar by it: a list in which
 * even the first is hardly similar has little to say, and both are on one scale.
 */
export function fuse(lists: {
  readonly lexical: readonly Ranked[];
  readonly vector: readonly Ranked[];
}): readonly Fused[] {
  const found = new Map<number, FindingReasons>();
  const pinned = new Set<number>();
  for (const way of ['lexical', 'vector'] as const) {
    lists[way].forEach(({ passageId, similarity, isPinned }, i) => {
      if (isPinned) pinned.add(passageId);
      found.set(passageId, { ...found.get(passageId), [way]: { rank: i + 1, similarity } });
    });
  }
  return [...found]
    .map(([passageId, reasons]) => ({
      passageId,
      reasons,
      isPinned: pinned.has(passageId),
      similarity: bestOf(reasons),
      score: scoreOf(reasons),
    }))
    .sort(
      (a, b) =>
        Number(b.isPinned) - Number(a.isPinned) ||
        b.score - a.score ||
        b.similarity - a.similarity ||
        a.passageId - b.passageId,
    )
    .map(({ passageId, similarity, reasons, isPinned }) => ({ passageId, similarity, reasons, isPinned }));
}

function bestOf({ lexical, vector }: FindingReasons): number {
  return Math.max(lexical?.similarity ?? 0, vector?.similarity ?? 0);
}

function scoreOf({ lexical, vector }: FindingReasons): number {
  return voteOf(lexical) + voteOf(vector);
}

function voteOf(place: FindingReasons['lexical']): number {
  return place === undefined ? 0 : place.similarity / (K + place.rank);
}

/**
 * Several lists as one: at each step the head with the greatest similarity. Each list keeps its own order, which may know
 * more than the similarities do; what is pinned in one comes before what is not in another.
 */
export function mergeBySimilarity<T extends { readonly similarity: number }>(
  lists: readonly (readonly T[])[],
  most: number,
  isPinned: (item: T) => boolean = () => false,
): readonly T[] {
  const worth = (item: T) => item.similarity + (isPinned(item) ? 1 : 0);
  const places = lists.map(() => 0);
  const merged: T[] = [];
  while (merged.length < most) {
    let best: { readonly item: T; readonly list: number } | undefined;
    lists.forEach((list, i) => {
      const item = list[places[i] ?? 0];
      if (item && (!best || worth(item) > worth(best.item))) best = { item, list: i };
    });
    if (!best) break;
    merged.push(best.item);
    places[best.list] = (places[best.list] ?? 0) + 1;
  }
  return merged;
}

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
