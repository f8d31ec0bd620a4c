import type { Knex } from 'knex';
import type { TermStatistics } from '../../src/core/knowledge/passage.js';
import type { DocumentStore, PassageIndex } from '../../src/core/knowledge/stores.js';
import { type Order, pageOf } from '../query/paging.js';
import { isRowId, storable } from '../query/values.js';
import { createLexicalSearch } from './lexical-search.js';
import { livePassages, type PassageRow, type SectionRow, toPassage, toSection } from './passage-rows.js';
import { EVERY_PASSAGE } from './terms.js';
import { createNearest } from './vectors/store.js';

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
        .select('term', 'passages', 'total');
      return addedUp(rows);
    },

    async lookalikes(collectionIds, terms) {
      const looksLike = (query: Knex.QueryBuilder) => {
        for (const term of terms.map(storable)) {
          void query.orWhere((each) => {
            void each
              .whereRaw('length(term) BETWEEN ? AND ?', [
                term.length - MOST_ERRORS,
                term.length + MOST_ERRORS,
              ])
              .whereRaw('(substr(term, 1, 1) = ? OR substr(term, 2, 2) = ? OR substr(term, 1, 2) = ?)', [
                term.slice(0, 1),
                term.slice(1, 3),
                term.charAt(1) + term.charAt(0),
              ]);
          });
        }
      };
      const rows = (await db('term_counts')
        .whereIn('collection_seq', collections(collectionIds))
        .where(looksLike)
        .groupBy('term')
        .select('term')
        .sum({ passages: 'passages' })
        .limit(MOST_LOOKALIKES)) as { readonly term: string; readonly passages: number | string }[];
      // PostgreSQL adds up to what a number may be too small for, and gives it as text.
      return new Map(rows.map(({ term, passages }) => [term, Number(passages)]));
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

/** In one term: letters left out or put in. */
const MOST_ERRORS = 2;
/** To compare more would keep everybody waiting. */
const MOST_LOOKALIKES = 20_000;

interface CountRow {
  readonly term: string;
  readonly passages: number;
  readonly total: number;
}

function addedUp(rows: readonly CountRow[]): TermStatistics {
  const frequencies = new Map<string, number>();
  for (const { term, passages } of rows) frequencies.set(term, (frequencies.get(term) ?? 0) + passages);
  const passages = frequencies.get(EVERY_PASSAGE) ?? 0;
  frequencies.delete(EVERY_PASSAGE);
  const total = rows.reduce((sum, row) => sum + row.total, 0);
  return { passages, averageTerms: passages === 0 ? 0 : total / passages, frequencies };
}

type PassagesOfDocument = Pick<DocumentStore, 'passages' | 'passage' | 'sections'>;

const isPosition = (value: unknown): value is number =>
  typeof value === 'number' && (value === 0 || isRowId(value));

const AS_THEY_STAND: Order<PassageRow> = {
  columns: ['passages.position'],
  direction: 'asc',
  position: (row) => [row.position],
  accepts: ([position, ...rest]) => isPosition(position) && rest.length === 0,
};

export function createPassagesOfDocument(db: Knex): PassagesOfDocument {
  const passagesOf = (collectionId: string, id: string) =>
    livePassages(db).where({ 'documents.id': storable(id), 'collections.id': storable(collectionId) });

  return {
    async passages(collectionId, id, page) {
      const { data, nextCursor } = await pageOf(passagesOf(collectionId, id), AS_THEY_STAND, page);
      return { data: data.map(toPassage), nextCursor };
    },

    async passage(collectionId, id, position) {
      if (!isPosition(position)) return undefined;
      const row = (await passagesOf(collectionId, id).where('passages.position', position).first()) as
        PassageRow | undefined;
      return row && toPassage(row);
    },

    async sections(ids) {
      const rows: SectionRow[] = await db('sections')
        .join('editions', 'editions.id', 'sections.edition')
        .where('editions.live', true)
        .whereIn('sections.id', ids.filter(isRowId))
        .select('sections.id', 'title', 'page', 'start_at', 'end_at', 'text');
      return rows.map(toSection);
    },
  };
}
