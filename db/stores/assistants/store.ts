import type { Knex } from 'knex';
import type { ToolCatalogue } from '../../../src/core/assistants/assistant.js';
import type { AssistantStore } from '../../../src/core/stores.js';
import { isRowId, storable } from '../../query/values.js';
import { countOf } from '../../query/counting.js';
import { now } from '../../query/now.js';
import { byId } from '../../query/paging.js';
import { countVisible, existing, namedAssistants, onlyVisible, visiblePage } from './queries.js';
import { columnsOf, toAssistant, type AssistantRow } from './rows.js';
import { createBin } from './assistant-bin.js';
import { canonicalColumns, createConversions } from './conversion.js';
import { createModelList } from './assistant-models.js';
import { createSharing } from './sharing.js';
import { createHistory } from './versions.js';
import { keepVersionRow, living, nextVersion, rowOf } from './assistant-writing.js';

const NEWEST_FIRST = byId<AssistantRow>('assistants.id');

// Each transaction writes before it reads: SQLite then waits for its turn instead of failing as busy,
// and PostgreSQL holds the row until the new version is written.
export function createAssistantStore(db: Knex, catalogue: ToolCatalogue, reader = db): AssistantStore {
  const asAssistant = (row: AssistantRow) => toAssistant(row, catalogue);
  const keepVersion = async (trx: Knex.Transaction, id: number, authorId: number) =>
    asAssistant(await keepVersionRow(trx, id, authorId));

  return {
    async create(owner, content) {
      const at = now();
      const row = {
        organization_id: owner.organizationId,
        owner_id: owner.id,
        ...columnsOf(content, catalogue),
        created_at: at,
        updated_at: at,
      };
      return db.transaction(async (trx) => {
        const [created] = (await trx('assistants').insert(row, ['id'])) as [{ id: number }];
        return keepVersion(trx, created.id, owner.id);
      });
    },

    async get(id) {
      const row = await rowOf(db, id);
      return row && asAssistant(row);
    },

    async byName(name, visibleTo) {
      const named = onlyVisible(existing(db), visibleTo).where('assistants.name', storable(name));
      const rows = (await named.orderBy('assistants.id').limit(2)) as AssistantRow[];
      return rows.map(asAssistant);
    },

    async list(visibleTo, filter, page) {
      // A search may look at all that there is, and chats write by the other connection meanwhile.
      const from = filter.q === undefined ? db : reader;
      const { data, nextCursor } = await visiblePage(from, { visibleTo, filter }, NEWEST_FIRST, page);
      return { data: data.map(asAssistant), nextCursor };
    },

    named: (ids) => namedAssistants(db, ids),

    count: (visibleTo) => countVisible(db, visibleTo),

    countOwned: (ownerId) =>
      countOf(db('assistants').where('owner_id', ownerId).whereNull('deleted_at'), undefined, 'id'),

    async replace(id, change, by) {
      if (!isRowId(id)) return undefined;
      const canonical = by.canonical ? await canonicalColumns(db, id, { change, by, catalogue }) : {};
      return db.transaction(async (trx) => {
        const changed = await living(trx, id)
          .where('version', by.expectedVersion)
          .update({ ...columnsOf(change, catalogue), ...canonical, ...nextVersion(trx) });
        if (changed === 1) return keepVersion(trx, id, by.userId);
        return (await rowOf(trx, id)) ? 'stale' : undefined;
      });
    },

    async setPublished(id, published, scope, userId) {
      if (!isRowId(id)) return undefined;
      return db.transaction(async (trx) => {
        const changed = await living(trx, id).update({
          published,
          publish_scope: scope,
          ...nextVersion(trx),
        });
        return changed === 1 ? keepVersion(trx, id, userId) : undefined;
      });
    },

    async delete(id) {
      if (!isRowId(id)) return false;
      return (await living(db, id).update({ deleted_at: now() })) > 0;
    },

    ...createModelList(db),
    ...createSharing(db),
    ...createHistory(db, catalogue),
    ...createConversions(db, catalogue),
    ...createBin(db, catalogue),
  };
}
