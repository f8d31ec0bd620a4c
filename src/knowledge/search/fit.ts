import type { TermGroup, TermStatistics } from '../../core/knowledge/passage.js';

/** How rare a word is. The forms of a word are one word, at home wherever its commonest form is. */
export function rarity(
  { forms }: TermGroup,
  { passages, frequencies }: Pick<TermStatistics, 'passages' | 'frequencies'>,
): number {
  const most = Math.max(0, ...forms.map((form) => frequencies.get(form) ?? 0));
  const holding = Math.min(most, passages);
  return Math.log(1 + (passages - holding + 0.5) / (holding + 0.5));
}

/** How often a passage has each word of the question. */
export interface CountedPassage {
  readonly passageId: number;
  readonly counts: readonly number[];
  readonly length: number;
  readonly isPinned: boolean;
}

/** How much of a question the passages have: shares from 0 to 1. */
export interface WordFit {
  /** Of what it asks for, in the one passage that has most of it. A rare word asks for more than a common one. */
  readonly covered: number;
  /** Of its words, in any passage. */
  readonly known: number;
  /** How many were looked in. */
  readonly passages: number;
}

export const NO_FIT: WordFit = { covered: 0, known: 0, passages: 0 };

/** A word is as rare as it would be among so many more passages: among few passages none is. */
const OTHER_PASSAGES = 1_000;

/** What was probably meant by a typing error counts like what was said: here it is asked what the question is about. */
export function fitOf(
  { asked, groups }: { readonly asked: readonly TermGroup[]; readonly groups: readonly TermGroup[] },
  candidates: readonly CountedPassage[],
  { passages, frequencies }: TermStatistics,
): WordFit {
  const weights = asked.map(({ weight = 1 }) => weight);
  const among = { passages: passages + OTHER_PASSAGES, frequencies };
  const worths = groups.map((group, i) => (weights[i] ?? 1) * rarity(group, among));
  const shareOf = (of: readonly number[], has: (word: number) => boolean) =>
    sum(of.filter((_, word) => has(word))) / sum(of);
  const covered = candidates.map(({ counts }) => shareOf(worths, (word) => (counts[word] ?? 0) > 0));
  return {
    covered: Math.max(0, ...covered),
    known: shareOf(weights, (word) => groups[word]?.forms.some((form) => frequencies.has(form)) ?? false),
    passages,
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/**
 * Below these a question is about something else. They are the largest that lose no right answer on the test collections
 * in bench/retrieval, which prints what they do.
 */
const BY_WORDS = { covered: 0.2, known: 0.5 };
const BY_MEANING = { covered: 0.25, similarity: 0.25 };
/** In fewer passages many words of a good question are missing. */
const ENOUGH_PASSAGES = 30;

/**
 * Whether anything was found that has to do with the question. `nearest` is the similarity of the nearest passage by a
 * model that knows the question's language; undefined where none was asked.
 */
export function fits({ covered, known, passages }: WordFit, nearest: number | undefined): boolean {
  if (passages < ENOUGH_PASSAGES && covered > 0) return true;
  return nearest === undefined
    ? covered >= BY_WORDS.covered || known >= BY_WORDS.known
    : covered >= BY_MEANING.covered || nearest >= BY_MEANING.similarity;
}
