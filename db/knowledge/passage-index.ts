import type { Knex } from 'knex';
import type { PassageIndex } from '../../src/core/knowledge.js';
import { isRowId, storable } from '../column-values.js';
import { createLexicalSearch } from './lexical-search.js';
import { livePassages, type PassageRow, toPassage } from './stored-passages.js';
import { EVERY_PASSAGE } from './term-counts.js';
import { createNearest } from './vectors.js';

export function createPassageIndex(db: Knex): PassageIndex {
  const collections = (ids: readonly string[]) =>
    db<{ id: string; seq: number }>('collections').select('seq').whereIn('id', ids.map(storable));
  const seqsOf = async (ids: readonly string[]) => (await collections(ids)).map(({ seq }) => seq);

  return {
    ...createLexicalSearch(db, seqsOf),
    ...createNearest(db),

    async statistics(collectionIds, forms) {
      const rows: CountRow[] = await db('term_counts')
        .whereIn('collection_seq', collections(collectionIds))
        .whereIn('term', [EVERY_PASSAGE, ...forms.map(storable)])
        .groupBy('term')
        .select('term')
        .sum({ passages: 'passages', total: 'total' });
      const { passages = 0, total = 0 } = rows.find(({ term }) => term === EVERY_PASSAGE) ?? {};
      return {
        passages: Number(passages),
        averageTerms: passages === 0 ? 0 : Number(total) / Number(passages),
        frequencies: new Map(
          rows.flatMap((row) => (row.term === EVERY_PASSAGE ? [] : [[row.term, Number(row.passages)]])),
        ),
      };
    },

    async read(passageIds) {
      const rows = (await livePassages(db).whereIn(
        'passages.id',
        passageIds.filter(isRowId),
      )) as PassageRow[];
      const byId = new Map(rows.map((row) => [row.id, row]));
      return passageIds.flatMap((id) => {
        const row = byId.get(id);
        return row ? [toPassage(row)] : [];
      });
    },

    async languages(collectionIds) {
      const rows: { readonly language: string }[] = await db('documents')
        .whereIn('collection_seq', collections(collectionIds))
        .whereNotNull('edition')
        .whereNotNull('language')
        .distinct('language');
      return rows.map(({ language }) => language).sort();
    },
  };
}

interface CountRow {
  readonly term: string;
  /** Sums of wide integers, which PostgreSQL tells as text. */
  readonly passages: number | string;
  readonly total: number | string;
}
