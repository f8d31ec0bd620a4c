import type { TermGroup, TermStatistics } from '../../src/core/knowledge/passage.js';

/**
 * How many places in the index one search ranks. A word that is in every other passage costs the most to look for and
 * tells the least, so the rarest words come first and the commonest are left out once these are enough to choose from.
 * The finer ranking afterwards sees all words.
 */
const MOST_PLACES = 12_000;

/** Passages that have at least one form of each. */
export type Wanted = readonly (readonly string[])[];

/**
 * What candidates are looked for by, one after the other until there are enough. When all words are common, the passages
 * that have all of them come first: they are fewer, and better than those with most of one.
 */
export function candidateForms(
  groups: readonly TermGroup[],
  { frequencies }: Pick<TermStatistics, 'frequencies'>,
): readonly Wanted[] {
  const frequencyOf = (form: string) => frequencies.get(form) ?? 0;
  const known = groups
    .map(({ forms }) => forms.filter((form) => frequencyOf(form) > 0))
    .filter((forms) => forms.length > 0);
  const rarestFirst = [...new Set(known.flat())].sort((a, b) => frequencyOf(a) - frequencyOf(b));
  const [rarest] = rarestFirst;
  if (rarest === undefined) return [];

  let places = 0;
  const rare = rarestFirst.filter((form) => (places += frequencyOf(form)) <= MOST_PLACES);
  if (rare.length > 0) return [[rare]];
  return known.length > 1 ? [known, [[rarest]]] : [[[rarest]]];
}
