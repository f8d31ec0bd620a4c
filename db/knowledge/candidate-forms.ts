import type { TermGroup, TermStatistics } from '../../src/core/knowledge.js';

/**
 * How many places in the index one search goes to. A word that is in every other passage costs the most to look for and
 * tells the least, so the rarest words come first and the commonest are left out once these are enough to choose from.
 * The finer ranking afterwards sees all words.
 */
const MOST_PLACES = 12_000;

/** What candidates are looked for by, with the rarest first; never empty when any of them is in the index. */
export function candidateForms(
  groups: readonly TermGroup[],
  { frequencies }: Pick<TermStatistics, 'frequencies'>,
): readonly string[] {
  const known = [...new Set(groups.flatMap(({ forms }) => forms))]
    .map((form) => ({ form, frequency: frequencies.get(form) ?? 0 }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.frequency - b.frequency);
  let places = 0;
  return known
    .filter(({ frequency }, index) => {
      places += frequency;
      return index === 0 || places <= MOST_PLACES;
    })
    .map(({ form }) => form);
}
