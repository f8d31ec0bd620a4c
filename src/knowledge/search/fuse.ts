import type { FindingReasons } from '../../core/knowledge/embedder.js';
import type { Ranked } from './bm25.js';

/** Of reciprocal rank fusion: how little it matters who is first rather than second. */
const K = 60;

export interface Fused extends Ranked {
  readonly reasons: FindingReasons;
}

/**
 * Both lists as one, by reciprocal rank. Each list's vote counts as much as the passage is similar by it: a list in which
 * even the first is hardly similar has little to say, and both are on one scale.
 */
export function fuse(lists: {
  readonly lexical: readonly Ranked[];
  readonly vector: readonly Ranked[];
}): readonly Fused[] {
  const found = new Map<number, FindingReasons>();
  for (const way of ['lexical', 'vector'] as const) {
    lists[way].forEach(({ passageId, similarity }, i) => {
      found.set(passageId, { ...found.get(passageId), [way]: { rank: i + 1, similarity } });
    });
  }
  return [...found]
    .map(([passageId, reasons]) => ({
      passageId,
      reasons,
      similarity: bestOf(reasons),
      score: scoreOf(reasons),
    }))
    .sort((a, b) => b.score - a.score || b.similarity - a.similarity || a.passageId - b.passageId)
    .map(({ passageId, similarity, reasons }) => ({ passageId, similarity, reasons }));
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
