import type { Knex } from 'knex';
import type { ToolCatalogue } from '../../../src/core/assistants/assistant.js';
import { pictureOf } from '../../../src/core/assistants/face.js';
import type { AssistantHistory, DeletedAssistant } from '../../../src/core/assistants/history.js';
import type { AssistantChange, AssistantStore, ListedModel, Timestamp } from '../../../src/core/stores.js';
import { readMetadata } from '../../metadata/canonical.js';
import { hasVision } from '../../metadata/setup.js';
import { byId, countOf, pageOf } from '../../query/paging.js';
import { rowsAtOnce } from '../../query/raw-rows.js';
import { isRowId, now, storable } from '../../query/values.js';
import { bindPicture } from '../attachments/store.js';
import { canonicalColumns, createConversions } from './conversion.js';
import {
  allVisible,
  countVisible,
  deleted,
  existing,
  keepVersionRow,
  living,
  namedAssistants,
  nextVersion,
  onlyVisible,
  rowOf,
  visiblePage,
} from './queries.js';
import { type AssistantRow, columnsOf, toAssistant } from './rows.js';
import { createSharing } from './sharing.js';
import { createHistory } from './versions.js';

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
        await keepPicture(trx, content, created.id);
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
      const from = filter.q === undefined && filter.tag === undefined ? db : reader;
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
        if (changed === 1) {
          await keepPicture(trx, change, id);
          return keepVersion(trx, id, by.userId);
        }
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

    async serve(id, version) {
      if (isRowId(id)) await db('assistants').where({ id }).update({ served_version: version });
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

async function keepPicture(trx: Knex.Transaction, { avatar }: AssistantChange, id: number): Promise<void> {
  const picture = pictureOf(avatar);
  if (picture !== undefined) await bindPicture(trx, picture, id);
}

type DeletedRow = AssistantRow & { readonly deleted_at: string };

const LAST_DELETED_FIRST = byId<DeletedRow>('assistants.id');

/** What was deleted and can be had back. */
function createBin(
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
      const { data, nextCursor } = await pageOf(found, LAST_DELETED_FIRST, page);
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

const STORED = ['id', 'name', 'description', 'created_at', 'served_version'];

/** Of the stored columns, and the metadata where it is to be read. */
type Cells = readonly [number, string, string, Timestamp, number | null, string | null];

/** Most metadata need not be read at all: either it says that it sees, or it spells letters in a way nobody does. */
const SEEING = `
  CASE WHEN assistants.metadata LIKE '%vision"%true%' OR assistants.metadata LIKE '%\\u%' ESCAPE '!'
  THEN assistants.metadata END AS seeing`;

function createModelList(db: Knex): Pick<AssistantStore, 'models'> {
  return {
    async models(visibleTo) {
      const found = allVisible(db, { visibleTo, filter: { enabled: true } }).select(
        ...STORED.map((column) => `assistants.${column}`),
        db.raw(SEEING),
      );
      const rows = (await rowsAtOnce(db, found, [...STORED, 'seeing'])) as readonly Cells[];
      return rows.map(toModel).sort((one, other) => other.id - one.id);
    },
  };
}

function toModel([id, name, description, createdAt, served, seeing]: Cells): ListedModel {
  const vision = seeing !== null && hasVision(readMetadata(seeing).metadata);
  return { id, name, description, createdAt, vision, isGated: served !== null };
}
