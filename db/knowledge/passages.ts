import type { Knex } from 'knex';
import type { TermStatistics } from '../../src/core/knowledge/passage.js';
import type { DocumentStore, PassageIndex, TermLook } from '../../src/core/knowledge/stores.js';
import { type Order, pageOf } from '../query/paging.js';
import { isPostgres, rawRows } from '../query/raw-rows.js';
import { isRowId, now, storable } from '../query/values.js';
import { createLexicalSearch } from './lexical-search.js';
import {
  FINDABLE,
  livePassages,
  type PassageRow,
  type SectionRow,
  toPassage,
  toSection,
} from './passage-rows.js';
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

    async lookalikes(collectionIds, looks) {
      const alike = looks.map((look) => termsLike(look, isPostgres(db)));
      const rows = await rawRows<{ readonly term: string; readonly passages: number | string }>(
        db,
        `WITH searched AS (SELECT seq FROM collections WHERE id IN (${collectionIds.map(() => '?').join(', ')}))
         SELECT term, sum(passages) AS passages
         FROM (${alike.map(({ sql }) => sql).join(' UNION ')}) AS alike GROUP BY term LIMIT ?`,
        [...collectionIds.map(storable), ...alike.flatMap(({ values }) => values), MOST_LOOKALIKES],
      );
      // PostgreSQL adds up to what a number may be too small for, and gives it as text.
      return new Map(rows.map(({ term, passages }) => [term, Number(passages)]));
    },

    async read(passageIds) {
      const rows = (await livePassages(db)
        .whereRaw(FINDABLE, [now()])
        .where('passages.off', false)
        .whereIn('passages.id', passageIds.filter(isRowId))) as PassageRow[];
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

    async languagesOf(passageIds) {
      const rows: { readonly id: number; readonly language: string }[] = await db('passages')
        .join('editions', 'editions.id', 'passages.edition')
        .join('documents', 'documents.seq', 'editions.document_seq')
        .whereIn('passages.id', passageIds.filter(isRowId))
        .whereNotNull('documents.language')
        .select('passages.id as id', 'documents.language as language');
      return new Map(rows.map(({ id, language }) => [id, language]));
    },
  };
}

/** To compare more would keep everybody waiting. */
const MOST_LOOKALIKES = 2_000;

/** Those that begin alike lie together in the table; in PostgreSQL only by the order of their bytes. */
function termsLike(
  look: TermLook,
  onPostgres: boolean,
): { readonly sql: string; readonly values: Knex.Value[] } {
  const { prefix, infix = '', suffix = '', shortest, longest } = look;
  const term = onPostgres ? 'term COLLATE "C"' : 'term';
  const [has, values] =
    suffix === ''
      ? infix === ''
        ? ['', []]
        : [`AND ${onPostgres ? 'strpos' : 'instr'}(term, ?) > 0`, [infix]]
      : ['AND substr(term, length(term) - ?) = ?', [suffix.length - 1, suffix]];
  return {
    sql: `SELECT collection_seq, term, passages FROM term_counts
      WHERE collection_seq IN (SELECT seq FROM searched) AND ${term} >= ? AND ${term} < ?
      AND length(term) BETWEEN ? AND ? ${has}`,
    values: [prefix, `${prefix}\u{10FFFF}`, shortest, longest, ...values],
  };
}

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
    livePassages(db)
      .where({ 'documents.id': storable(id), 'collections.id': storable(collectionId) })
      // Said once more, so that they are read in the order in which they stand and no further than a page.
      .where('passages.edition', db('documents').where('id', storable(id)).select('edition'));

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
        .select('sections.id', 'title', 'page', 'start_at', 'end_at', 'text', 'edited');
      return rows.map(toSection);
    },
  };
}
