import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Visibility } from '../../src/core/access/access.js';
import type { RubricContent, StoredRubric } from '../../src/core/rubrics/rubric.js';
import type { RubricStore, Timestamp } from '../../src/core/stores.js';
import { isRecord } from '../metadata/json.js';
import { byTime, countOf, pageOf, pageOfUnion } from '../query/paging.js';
import { onlyContaining } from '../query/search.js';
import { orConflict } from '../query/unique-violation.js';
import { now, storable } from '../query/values.js';

interface RubricRow {
  readonly id: string;
  readonly organization_id: number;
  readonly owner_id: number;
  readonly title: string;
  readonly description: string;
  /** JSON. */
  readonly data: string;
  readonly is_public: boolean | number;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  /** The owner's e-mail, looked up in users. */
  readonly owner: string;
}

const NEWEST_FIRST = byTime<RubricRow>('created_at', (row) => [row.created_at, row.id]);

export function createRubricStore(db: Knex): RubricStore {
  const get = async (id: string) => {
    const row = (await withOwner(db).where('id', storable(id)).first()) as RubricRow | undefined;
    return row && toRubric(row);
  };

  return {
    async create(owner, content, id = randomUUID()) {
      const at = now();
      await db('rubrics')
        .insert({
          id: storable(id),
          organization_id: owner.organizationId,
          owner_id: owner.id,
          ...columnsOf(content),
          created_at: at,
          updated_at: at,
        })
        .catch(orConflict('A rubric with this id exists already.'));
      const made = await get(id);
      if (!made) throw new Error(`Rubric ${id} vanished while it was being made.`);
      return made;
    },

    get,

    async list(visibleTo, { q }, page) {
      const rows = withOwner(db);
      const reasons = visibilityConditions(visibleTo);
      const matching = (query: Knex.QueryBuilder) =>
        q === undefined ? query : onlyContaining(query, ['title', 'description'], q);
      const branches = reasons?.map((reason) => matching(db('rubrics').where(reason)));
      const { data, nextCursor } = await (branches
        ? pageOfUnion({ rows, branches }, NEWEST_FIRST, page)
        : pageOf(matching(rows), NEWEST_FIRST, page));
      return { data: data.map(toRubric), nextCursor };
    },

    count: (visibleTo) =>
      countOf(
        db('rubrics'),
        visibilityConditions(visibleTo)?.map((reason) => db('rubrics').where(reason)),
        'id',
      ),

    async replace(id, content, asOf) {
      const changed = await db('rubrics')
        .where({ id: storable(id), ...(asOf === undefined ? {} : { updated_at: asOf }) })
        .update({ ...columnsOf(content), updated_at: now() });
      return changed > 0 ? get(id) : undefined;
    },

    async delete(id) {
      return (await db('rubrics').where('id', storable(id)).del()) > 0;
    },
  };
}

function withOwner(db: Knex): Knex.QueryBuilder {
  const owner = db('users').select('email').whereRaw('users.id = rubrics.owner_id').as('owner');
  return db('rubrics').select('rubrics.*', owner);
}

/** Each lets somebody see a rubric; undefined when they see all. */
function visibilityConditions(visibleTo: Visibility): readonly object[] | undefined {
  if (visibleTo.everything) return undefined;
  const { userId, organizationId, wholeOrganization } = visibleTo;
  const ofOrganization = { organization_id: organizationId };
  return [{ owner_id: userId }, wholeOrganization ? ofOrganization : { ...ofOrganization, is_public: true }];
}

function columnsOf({ title, description, data, isPublic }: RubricContent) {
  return {
    title: storable(title),
    description: storable(description),
    data: JSON.stringify(data),
    is_public: isPublic,
  };
}

function toRubric(row: RubricRow): StoredRubric {
  return {
    id: row.id,
    organizationId: row.organization_id,
    ownerId: row.owner_id,
    owner: row.owner,
    title: row.title,
    description: row.description,
    data: dataOf(row),
    isPublic: Boolean(row.is_public),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** What another program wrote may be no JSON; it is then a rubric with nothing in it, which says so when it is used. */
function dataOf({ data }: RubricRow): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(data);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
