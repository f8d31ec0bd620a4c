import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Visibility } from '../../src/core/access/access.js';
import type { Collection, CollectionContent, CollectionSize } from '../../src/core/knowledge/collection.js';
import type { CollectionStore } from '../../src/core/knowledge/stores.js';
import type { Timestamp } from '../../src/core/stores.js';
import { byTime, countOf, pageOf, pageOfUnion } from '../query/paging.js';
import { rawRows } from '../query/raw-rows.js';
import { onlyContaining } from '../query/search.js';
import { orConflict } from '../query/unique-violation.js';
import { now, storable } from '../query/values.js';

interface CollectionRow {
  readonly id: string;
  readonly organization_id: number;
  readonly owner_id: number;
  readonly name: string;
  readonly description: string;
  readonly is_shared: boolean | number;
  readonly place: Collection['place'];
  readonly external_id: string | null;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  /** The owner's e-mail, looked up in users. */
  readonly owner: string;
}

const NEWEST_FIRST = byTime<CollectionRow>('created_at', (row) => [row.created_at, row.id]);

export function createCollectionStore(db: Knex): CollectionStore {
  const get = async (id: string) => {
    const row = (await withOwner(db).where('id', storable(id)).first()) as CollectionRow | undefined;
    return row && toCollection(row);
  };

  return {
    async create(owner, content, externalId) {
      const [id, at] = [randomUUID(), now()];
      await db('collections')
        .insert({
          id,
          place: externalId === undefined ? 'here' : 'server',
          external_id: externalId === undefined ? null : storable(externalId),
          organization_id: owner.organizationId,
          owner_id: owner.id,
          ...columnsOf(content),
          created_at: at,
          updated_at: at,
        })
        .catch(orConflict('This collection of the knowledge base server is registered already.'));
      const made = await get(id);
      if (!made) throw new Error(`Collection ${id} vanished while it was being made.`);
      return made;
    },

    get,

    async onServer(organizationId, externalId) {
      const row = (await withOwner(db)
        .where({ organization_id: organizationId, external_id: storable(externalId) })
        .first()) as CollectionRow | undefined;
      return row && toCollection(row);
    },

    async list(visibleTo, { q }, page) {
      const rows = withOwner(db);
      const matching = (query: Knex.QueryBuilder) =>
        q === undefined ? query : onlyContaining(query, ['name', 'description'], q);
      const branches = visibilityConditions(visibleTo)?.map((reason) =>
        matching(db('collections').where(reason)),
      );
      const { data, nextCursor } = await (branches
        ? pageOfUnion({ rows, branches }, NEWEST_FIRST, page)
        : pageOf(matching(rows), NEWEST_FIRST, page));
      return { data: data.map(toCollection), nextCursor };
    },

    count: (visibleTo) =>
      countOf(
        db('collections'),
        visibilityConditions(visibleTo)?.map((reason) => db('collections').where(reason)),
        'id',
      ),

    sizes: (ids) => sizesOf(db, ids),

    async replace(id, content) {
      await db('collections')
        .where('id', storable(id))
        .update({ ...columnsOf(content), updated_at: now() });
      return get(id);
    },

    delete: (id) => db.transaction((trx) => deleteCollection(trx, id)),
  };
}

/** The collection first: from then on nobody can add to it, and whoever is about to is waited for. */
async function deleteCollection(trx: Knex.Transaction, id: string) {
  const [gone] = await rawRows<{ readonly seq: number }>(
    trx,
    'DELETE FROM collections WHERE id = ? RETURNING seq',
    [storable(id)],
  );
  if (!gone) return undefined;
  const documents = await rawRows<{ readonly id: string }>(
    trx,
    'DELETE FROM documents WHERE collection_seq = ? RETURNING id',
    [gone.seq],
  );
  // What they consist of is swept up later, a little at a time.
  await trx('editions').where('collection_seq', gone.seq).update({ live: false });
  return { documentIds: documents.map((document) => document.id) };
}

async function sizesOf(db: Knex, ids: readonly string[]): Promise<ReadonlyMap<string, CollectionSize>> {
  const rows: (CollectionSize & { readonly id: string })[] = await db('collections')
    .join('documents', 'documents.collection_seq', 'collections.seq')
    .whereIn('collections.id', ids.map(storable))
    .whereNotNull('documents.edition')
    .groupBy('collections.id')
    .select('collections.id as id')
    .count({ documents: '*' })
    .sum({ passages: 'documents.passages' });
  const nothing = ids.map((id) => [id, { documents: 0, passages: 0 }] as const);
  return new Map([...nothing, ...rows.map(({ id, ...size }) => [id, size] as const)]);
}

function withOwner(db: Knex): Knex.QueryBuilder {
  const owner = db('users').select('email').whereRaw('users.id = collections.owner_id').as('owner');
  return db('collections').select('collections.*', owner);
}

/** Each lets somebody see a collection; undefined when they see all. */
function visibilityConditions(visibleTo: Visibility): readonly object[] | undefined {
  if (visibleTo.everything) return undefined;
  const { userId, organizationId, wholeOrganization } = visibleTo;
  const ofOrganization = { organization_id: organizationId };
  return [{ owner_id: userId }, wholeOrganization ? ofOrganization : { ...ofOrganization, is_shared: true }];
}

function columnsOf({ name, description, isShared }: CollectionContent) {
  return { name: storable(name), description: storable(description), is_shared: isShared };
}

function toCollection(row: CollectionRow): Collection {
  return {
    id: row.id,
    organizationId: row.organization_id,
    ownerId: row.owner_id,
    owner: row.owner,
    name: row.name,
    description: row.description,
    isShared: Boolean(row.is_shared),
    place: row.place,
    externalId: row.external_id ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
