import type { Knex } from 'knex';
import type { Assistant, ToolCatalogue } from '../../src/core/assistant.js';
import type { AssistantStore } from '../../src/core/stores.js';
import { isRowId, storable } from '../column-values.js';
import { now } from '../now.js';
import { byId, pageOf } from '../paging.js';
import { existing, onlyMatching, onlyVisible } from './assistant-queries.js';
import { columnsOf, toAssistant, versionContent, type AssistantRow } from './assistant-rows.js';

const NEWEST_FIRST = byId<AssistantRow>('assistants.id');

// Each transaction writes before it reads: SQLite then waits for its turn instead of failing as busy,
// and PostgreSQL holds the row until the new version is written.
export function createAssistantStore(db: Knex, catalogue: ToolCatalogue): AssistantStore {
  const asAssistant = (row: AssistantRow) => toAssistant(row, catalogue);

  /** Keeps the row as it is now as its newest version. */
  async function keepVersion(trx: Knex.Transaction, id: number, authorId: number): Promise<Assistant> {
    const row = await rowOf(trx, id);
    if (!row) throw new Error(`Assistant ${String(id)} vanished while it was being written.`);
    await trx('assistant_versions').insert({
      assistant_id: id,
      version: row.version,
      ...versionContent(row),
      author_id: authorId,
      created_at: row.updated_at,
    });
    return asAssistant(row);
  }

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
      const found = onlyMatching(onlyVisible(existing(db), visibleTo), filter);
      const { data, nextCursor } = await pageOf(found, NEWEST_FIRST, page);
      return { data: data.map(asAssistant), nextCursor };
    },

    async replace(id, change, by) {
      if (!isRowId(id)) return undefined;
      return db.transaction(async (trx) => {
        const changed = await living(trx, id)
          .where('version', by.expectedVersion)
          .update({ ...columnsOf(change, catalogue), ...nextVersion(trx) });
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

    ...createShares(db),
  };
}

function createShares(db: Knex): Pick<AssistantStore, 'share' | 'unshare' | 'isSharedWith'> {
  return {
    async share(id, userId, sharedBy) {
      await db('assistant_shares')
        .insert({ assistant_id: id, user_id: userId, shared_by: sharedBy, created_at: now() })
        .onConflict(['assistant_id', 'user_id'])
        .ignore();
    },

    async unshare(id, userId) {
      if (!isRowId(id)) return false;
      return (await db('assistant_shares').where({ assistant_id: id, user_id: userId }).del()) > 0;
    },

    async isSharedWith(id, userId) {
      if (!isRowId(id)) return false;
      const share: unknown = await db('assistant_shares')
        .where({ assistant_id: id, user_id: userId })
        .first('user_id');
      return share !== undefined;
    },
  };
}

async function rowOf(db: Knex, id: number): Promise<AssistantRow | undefined> {
  if (!isRowId(id)) return undefined;
  return (await existing(db).where('assistants.id', id).first()) as AssistantRow | undefined;
}

function living(db: Knex, id: number): Knex.QueryBuilder {
  return db('assistants').where('id', id).whereNull('deleted_at');
}

function nextVersion(trx: Knex.Transaction) {
  return { version: trx.raw('?? + 1', ['version']), updated_at: now() };
}
