import type { Judgements } from './beir.js';

export interface Quality {
  readonly ndcg10: number;
  readonly recall10: number;
  readonly recall100: number;
  readonly mrr10: number;
}

/** As trec_eval and BEIR count it: the gain of a document is its grade, and what was not judged is not relevant. */
export function qualityOf(ranked: readonly string[], judgements: Judgements): Quality {
  return {
    ndcg10: ndcg(ranked, judgements, 10),
    recall10: recall(ranked, judgements, 10),
    recall100: recall(ranked, judgements, 100),
    mrr10: reciprocalRank(ranked, judgements, 10),
  };
}

export function meanQuality(all: readonly Quality[]): Quality {
  const mean = (of: (one: Quality) => number) => all.reduce((sum, one) => sum + of(one), 0) / all.length;
  return {
    ndcg10: mean((one) => one.ndcg10),
    recall10: mean((one) => one.recall10),
    recall100: mean((one) => one.recall100),
    mrr10: mean((one) => one.mrr10),
  };
}

function ndcg(ranked: readonly string[], judgements: Judgements, depth: number): number {
  const ideal = [...judgements.values()].filter((grade) => grade > 0).sort((a, b) => b - a);
  const best = discounted(ideal.slice(0, depth));
  return best === 0 ? 0 : discounted(ranked.slice(0, depth).map((id) => gradeOf(id, judgements))) / best;
}

function discounted(grades: readonly number[]): number {
  return grades.reduce((sum, grade, place) => sum + grade / Math.log2(place + 2), 0);
}

function recall(ranked: readonly string[], judgements: Judgements, depth: number): number {
  const relevant = [...judgements.values()].filter((grade) => grade > 0).length;
  const found = ranked.slice(0, depth).filter((id) => gradeOf(id, judgements) > 0).length;
  return relevant === 0 ? 0 : found / relevant;
}

function reciprocalRank(ranked: readonly string[], judgements: Judgements, depth: number): number {
  const place = ranked.slice(0, depth).findIndex((id) => gradeOf(id, judgements) > 0);
  return place < 0 ? 0 : 1 / (place + 1);
}

function gradeOf(id: string, judgements: Judgements): number {
  return Math.max(0, judgements.get(id) ?? 0);
}
