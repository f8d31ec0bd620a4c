import type { TermGroup } from '../../core/knowledge/passage.js';
import type { PassageIndex } from '../../core/knowledge/stores.js';
import { type Ranked, rankByWords } from './bm25.js';

/** The database's own ranking is a coarse one: so many more than wanted are looked at again. */
const MORE = 2.5;

export interface WordQuestion {
  readonly collectionIds: readonly string[];
  readonly groups: readonly TermGroup[];
  readonly most: number;
}

/** Nothing when there is no word in the question that could be looked for. */
export async function findByWords(
  { collectionIds, groups, most }: WordQuestion,
  passages: Pick<PassageIndex, 'statistics' | 'lexical'>,
): Promise<readonly Ranked[]> {
  if (groups.length === 0) return [];
  const forms = [...new Set(groups.flatMap((group) => group.forms))];
  const statistics = await passages.statistics(collectionIds, forms);
  const limit = Math.ceil(most * MORE);
  const candidates = await passages.lexical({ collectionIds, groups, statistics, limit });
  return rankByWords(candidates, groups, statistics).slice(0, most);
}
