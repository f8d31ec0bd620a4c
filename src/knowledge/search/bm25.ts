import type { LexicalCandidate, TermGroup, TermStatistics } from '../../core/knowledge/passage.js';
import type { PassageIndex } from '../../core/knowledge/stores.js';
import { type CountedPassage, fitOf, NO_FIT, rarity, type WordFit } from './fit.js';
import { withoutTypingErrors } from './typing-errors.js';

const K1 = 0.9;
const B = 0.4;

/** A passage by its place in a list: the first is the best. */
export interface Ranked {
  readonly passageId: number;
  /** From 0 to 1. */
  readonly similarity: number;
  /** First among what is found, however little it fits. */
  readonly isPinned?: boolean;
}

/**
 * Okapi BM25, exactly, of what the database found promising, each word by its weight in the question. The similarity is the share of what a passage could get
 * that holds every word asked for in saturation, words that occur nowhere included: it follows the score, so both give
 * the same order.
 */
export function rankByWords(
  candidates: readonly LexicalCandidate[],
  groups: readonly TermGroup[],
  statistics: TermStatistics,
): readonly Ranked[] {
  return ranked(countAll(candidates, groups), groups, statistics);
}

function countAll(
  candidates: readonly LexicalCandidate[],
  groups: readonly TermGroup[],
): readonly CountedPassage[] {
  const wordsOf = wordsByForm(groups);
  return candidates.map(({ passageId, terms, isPinned = false }) => ({
    ...{ passageId, isPinned },
    ...countWords(terms, wordsOf, groups.length),
  }));
}

function ranked(
  candidates: readonly CountedPassage[],
  groups: readonly TermGroup[],
  statistics: TermStatistics,
): readonly Ranked[] {
  const weights = groups.map((group) => (group.weight ?? 1) * rarity(group, statistics));
  const most = weights.reduce((sum, weight) => sum + weight, 0);
  const average = statistics.averageTerms > 0 ? statistics.averageTerms : 1;
  return candidates
    .map(({ passageId, counts, length, isPinned }) => {
      const saturation = K1 * (1 - B + (B * length) / average);
      const score = counts.reduce(
        (sum, count, word) =>
          count === 0 ? sum : sum + ((weights[word] ?? 0) * count) / (count + saturation),
        0,
      );
      return { passageId, isPinned, score };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.passageId - b.passageId)
    .map(({ passageId, isPinned, score }) => ({ passageId, isPinned, similarity: onScale(score / most) }));
}

/** A form may belong to several words, and a word may be asked for twice. */
function wordsByForm(groups: readonly TermGroup[]): ReadonlyMap<string, readonly number[]> {
  const words = new Map<string, number[]>();
  groups.forEach(({ forms }, word) => {
    for (const form of new Set(forms)) words.set(form, [...(words.get(form) ?? []), word]);
  });
  return words;
}

function countWords(terms: string, wordsOf: ReadonlyMap<string, readonly number[]>, words: number) {
  const counts = new Array<number>(words).fill(0);
  const all = terms === '' ? [] : terms.split(' ');
  for (const term of all) {
    const asked = wordsOf.get(term);
    if (asked) for (const word of asked) counts[word] = (counts[word] ?? 0) + 1;
  }
  return { counts, length: all.length };
}

/** The database's own ranking is a coarse one: so many more than wanted are looked at again. */
const MORE = 2.5;

export interface WordQuestion {
  readonly collectionIds: readonly string[];
  readonly groups: readonly TermGroup[];
  readonly most: number;
  readonly tags?: readonly string[] | undefined;
}

export interface WordFindings {
  readonly ranked: readonly Ranked[];
  readonly fit: WordFit;
}

const NOTHING: WordFindings = { ranked: [], fit: NO_FIT };

/** Nothing when there is no word in the question that could be looked for. */
export async function findByWords(
  { collectionIds, groups: asked, most, tags }: WordQuestion,
  passages: Pick<PassageIndex, 'statistics' | 'lookalikes' | 'lexical'>,
): Promise<WordFindings> {
  if (asked.length === 0) return NOTHING;
  const forms = [...new Set(asked.flatMap((group) => group.forms))];
  const known = await passages.statistics(collectionIds, forms);
  const { groups, statistics } = await withoutTypingErrors(
    collectionIds,
    { groups: asked, statistics: known },
    passages,
  );
  const limit = Math.ceil(most * MORE);
  const candidates = await passages.lexical({ collectionIds, groups, statistics, limit, tags });
  const counted = countAll(candidates, groups);
  return {
    ranked: ranked(counted, groups, statistics).slice(0, most),
    fit: fitOf({ asked, groups }, counted, statistics),
  };
}

const STEPS = 10_000;

/** On the one scale that every way of looking shares: from 0 to 1, with four digits. */
export function onScale(similarity: number): number {
  if (!(similarity > 0)) return 0;
  return similarity >= 1 ? 1 : Math.round(similarity * STEPS) / STEPS;
}
