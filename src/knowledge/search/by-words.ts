import type { PassageIndex, TermGroup, TermStatistics } from '../../core/knowledge.js';
import { type Ranked, rarity, rankByWords } from './bm25.js';

/** The database's own ranking is a coarse one: so many are looked at again. */
const CANDIDATES = 500;
/** An essay pasted as a question is looked for by the rarest of its words. */
const MOST_WORDS = 64;

export interface WordQuestion {
  readonly collectionIds: readonly string[];
  readonly groups: readonly TermGroup[];
  readonly most: number;
}

/** Nothing when nothing is left of the question once the words that all texts have are taken out. */
export async function findByWords(
  { collectionIds, groups, most }: WordQuestion,
  passages: Pick<PassageIndex, 'statistics' | 'lexical'>,
): Promise<readonly Ranked[]> {
  if (groups.length === 0) return [];
  const forms = [...new Set(groups.flatMap((group) => group.forms))];
  const statistics = await passages.statistics(collectionIds, forms);
  const asked = rarest(groups, statistics);
  const limit = Math.max(CANDIDATES, most);
  const candidates = await passages.lexical({ collectionIds, groups: asked, statistics, limit });
  return rankByWords(candidates, asked, statistics).slice(0, most);
}

/** In the order of the question. Words that occur nowhere say what is missing, but do not take the place of others. */
function rarest(groups: readonly TermGroup[], statistics: TermStatistics): readonly TermGroup[] {
  if (groups.length <= MOST_WORDS) return groups;
  const weight = (group: TermGroup) =>
    group.forms.some((form) => statistics.frequencies.has(form)) ? rarity(group, statistics) : 0;
  const chosen = new Set([...groups].sort((a, b) => weight(b) - weight(a)).slice(0, MOST_WORDS));
  return groups.filter((group) => chosen.has(group));
}
