import type { Knex } from 'knex';
import type { Visibility } from '../../../src/core/access/access.js';
import type { AssistantFilter, NamedAssistant, Page, PageRequest } from '../../../src/core/stores.js';
import { countOf, foundBy, type Order, pageOf, pageOfUnion } from '../../query/paging.js';
import { onlyContaining } from '../../query/search.js';
import { isRowId, now } from '../../query/values.js';
import { emailKey } from '../users.js';
import { type AssistantRow, versionContent } from './rows.js';

/** Every assistant that is not deleted, with its owner's e-mail. */
export function existing(db: Knex): Knex.QueryBuilder {
  return withOwners(db).whereNull('assistants.deleted_at');
}

export function deleted(db: Knex): Knex.QueryBuilder {
  return withOwners(db).whereNotNull('assistants.deleted_at');
}

function withOwners(db: Knex): Knex.QueryBuilder {
  return besideOwners(db).select('assistants.*', 'users.email as owner');
}

function besideOwners(db: Knex): Knex.QueryBuilder {
  return db('assistants').join('users', 'users.id', 'assistants.owner_id');
}

type Condition = (assistant: Knex.QueryBuilder) => void;

const sharedWith =
  (userId: number): Condition =>
  (assistant) =>
    assistant.whereIn('assistants.id', (shares) => {
      shares.from('assistant_shares').where({ user_id: userId }).select('assistant_id');
    });

/** Each lets somebody see an assistant; undefined when they see all. */
function visibilityConditions(visibleTo: Visibility): readonly Condition[] | undefined {
  if (visibleTo.everything) return undefined;
  const { userId, organizationId, wholeOrganization } = visibleTo;
  const ofOrganization = { 'assistants.organization_id': organizationId };
  // What a closed account lent or published is nobody's to see any longer.
  const published = { 'assistants.published': true, 'users.enabled': true };
  return [
    (own) => own.where('assistants.owner_id', userId),
    (shared) => shared.where('users.enabled', true).where(sharedWith(userId)),
    (toEveryone) => toEveryone.where({ ...published, 'assistants.publish_scope': 'everyone' }),
    (inOrganization) =>
      inOrganization.where(wholeOrganization ? ofOrganization : { ...published, ...ofOrganization }),
  ];
}

export function onlyVisible(query: Knex.QueryBuilder, visibleTo: Visibility): Knex.QueryBuilder {
  const reasons = visibilityConditions(visibleTo);
  if (!reasons) return query;
  return query.where((any) => {
    for (const reason of reasons) any.orWhere(reason);
  });
}

interface Seen {
  readonly visibleTo: Visibility;
  readonly filter: AssistantFilter;
}

/** Each finds some of what somebody may see, as far as the filter fits; undefined when they see all. */
function waysToSee(db: Knex, { visibleTo, filter }: Seen): readonly Knex.QueryBuilder[] | undefined {
  return visibilityConditions(visibleTo)?.map((reason) =>
    onlyMatching(besideOwners(db).whereNull('assistants.deleted_at'), filter).where(reason),
  );
}

export function visiblePage<Row extends object>(
  db: Knex,
  seen: Seen,
  order: Order<Row>,
  page: PageRequest,
): Promise<Page<Row>> {
  const branches = waysToSee(db, seen);
  if (!branches) return pageOf(onlyMatching(existing(db), seen.filter), order, page);
  return pageOfUnion({ rows: existing(db), branches }, order, page);
}

export function countVisible(db: Knex, visibleTo: Visibility): Promise<number> {
  const branches = waysToSee(db, { visibleTo, filter: {} });
  return countOf(db('assistants').whereNull('assistants.deleted_at'), branches, 'assistants.id');
}

interface NamedRow {
  readonly id: number;
  readonly name: string;
  readonly owner_id: number;
  readonly deleted_at: string | null;
}

export async function namedAssistants(
  db: Knex,
  ids: readonly number[],
): Promise<ReadonlyMap<number, NamedAssistant>> {
  if (ids.length === 0) return new Map();
  const rows: NamedRow[] = await db('assistants')
    .whereIn('id', ids.filter(isRowId))
    .select('id', 'name', 'owner_id', 'deleted_at');
  return new Map(
    rows.map(({ id, name, owner_id, deleted_at }) => [
      id,
      { id, name, ownerId: owner_id, isDeleted: deleted_at !== null },
    ]),
  );
}

/** Not in pages, and in no order. */
export function allVisible(db: Knex, seen: Seen): Knex.QueryBuilder {
  const rows = db('assistants').whereNull('assistants.deleted_at');
  const branches = waysToSee(db, seen);
  return branches ? foundBy(branches, rows, 'assistants.id') : onlyMatching(rows, seen.filter);
}

const SEARCHED = ['assistants.name', 'assistants.description', 'assistants.tags'];

function onlyMatching(query: Knex.QueryBuilder, filter: AssistantFilter): Knex.QueryBuilder {
  if (filter.type !== undefined) query.where('assistants.assistant_type', filter.type);
  if (filter.owner !== undefined) query.where('users.email', emailKey(filter.owner));
  if (filter.published !== undefined) query.where('assistants.published', filter.published);
  if (filter.enabled !== undefined) query.where('assistants.enabled', filter.enabled);
  if (filter.sharedWith !== undefined) query.where(sharedWith(filter.sharedWith));
  const { ownOrStarting } = filter;
  if (ownOrStarting !== undefined)
    query.where((any) => {
      any.where('assistants.owner_id', ownOrStarting).orWhereNotNull('assistants.starters');
    });
  if (filter.q !== undefined) onlyContaining(query, SEARCHED, filter.q);
  // Tags are stored as a JSON list: between its quotes a tag is found whole.
  if (filter.tag !== undefined) onlyContaining(query, ['assistants.tags'], JSON.stringify(filter.tag));
  return query;
}

/** What every change of an assistant is made of. */

export async function rowOf(db: Knex, id: number): Promise<AssistantRow | undefined> {
  if (!isRowId(id)) return undefined;
  return (await existing(db).where('assistants.id', id).first()) as AssistantRow | undefined;
}

export function living(db: Knex, id: number): Knex.QueryBuilder {
  return db('assistants').where('id', id).whereNull('deleted_at');
}

export function nextVersion(trx: Knex.Transaction) {
  return { version: trx.raw('?? + 1', ['version']), updated_at: now() };
}

/** Keeps the row as it is now as its newest version. */
export async function keepVersionRow(
  trx: Knex.Transaction,
  id: number,
  authorId: number,
): Promise<AssistantRow> {
  const row = await rowOf(trx, id);
  if (!row) throw new Error(`Assistant ${String(id)} vanished while it was being written.`);
  await insertVersion(trx, row, authorId);
  return row;
}

export async function insertVersion(
  trx: Knex.Transaction,
  row: AssistantRow,
  authorId: number,
): Promise<void> {
  await trx('assistant_versions').insert({
    assistant_id: row.id,
    version: row.version,
    ...versionContent(row),
    author_id: authorId,
    created_at: row.updated_at,
  });
}
