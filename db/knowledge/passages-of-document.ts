import type { Knex } from 'knex';
import type { DocumentStore } from '../../src/core/knowledge/stores.js';
import { type Order, pageOf } from '../query/paging.js';
import { isRowId, storable } from '../query/values.js';
import { livePassages, type PassageRow, type SectionRow, toPassage, toSection } from './passage-rows.js';

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
