import type { Knex } from 'knex';
import type { ToolCatalogue } from '../../../src/core/assistants/assistant.js';
import type { AssistantHistory, DeletedAssistant } from '../../../src/core/assistants/history.js';
import { isRowId } from '../../query/values.js';
import { byId, pageOf } from '../../query/paging.js';
import { deleted } from './queries.js';
import { toAssistant, type AssistantRow } from './rows.js';
import { rowOf } from './assistant-writing.js';

type DeletedRow = AssistantRow & { readonly deleted_at: string };

const NEWEST_FIRST = byId<DeletedRow>('assistants.id');

/** What was deleted and can be had back. */
export function createBin(
  db: Knex,
  catalogue: ToolCatalogue,
): Pick<AssistantHistory, 'deletedOf' | 'getDeleted' | 'undelete'> {
  const toDeleted = (row: DeletedRow): DeletedAssistant => ({
    ...toAssistant(row, catalogue),
    deletedAt: row.deleted_at,
  });

  return {
    async deletedOf(ownerId, page) {
      const found = deleted(db).where('assistants.owner_id', isRowId(ownerId) ? ownerId : 0);
      const { data, nextCursor } = await pageOf(found, NEWEST_FIRST, page);
      return { data: data.map(toDeleted), nextCursor };
    },

    async getDeleted(id) {
      if (!isRowId(id)) return undefined;
      const row = (await deleted(db).where('assistants.id', id).first()) as DeletedRow | undefined;
      return row && toDeleted(row);
    },

    async undelete(id) {
      if (!isRowId(id)) return undefined;
      await db('assistants').where({ id }).update({ deleted_at: null });
      const row = await rowOf(db, id);
      return row && toAssistant(row, catalogue);
    },
  };
}
