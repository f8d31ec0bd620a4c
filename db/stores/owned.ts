import type { Knex } from 'knex';
import type { Visibility } from '../../src/core/access/access.js';
import type { Page, PageRequest, Timestamp } from '../../src/core/stores.js';
import { cellsOf, type Columns, number, plain, text, type ValuesOf, valuesIn } from '../query/columns.js';
import { byTime, countOf, type Order, pageOf, pageOfUnion } from '../query/paging.js';
import { onlyContaining } from '../query/search.js';
import { orConflict } from '../query/refusals.js';
import { isRowId, now, storable } from '../query/values.js';

type Id = string | number;

interface OwnedRow<RowId extends Id> {
  readonly id: RowId;
  readonly created_at: Timestamp;
}

interface Owner {
  readonly id: number;
  readonly organizationId: number;
}

/** What somebody made, and may share with their whole organisation. */
interface Owned<RowId extends Id, Content extends Columns, Fixed extends Columns> {
  readonly table: string;
  /** What its owner sets. */
  readonly content: Content;
  /** What is set when it is made, and stays. */
  readonly fixed: Fixed;
  /** The column that says whether it is shared. */
  readonly shared: string;
  /** The columns that are searched. */
  readonly search: readonly string[];
  readonly order: Order<OwnedRow<RowId>>;
  /** Why one like it cannot be made. */
  readonly taken: string;
}

/** Columns that all of them have. The owner's e-mail is looked up in users. */
const COMMON = {
  organizationId: number('organization_id'),
  ownerId: number('owner_id'),
  owner: text('owner'),
  createdAt: plain<Timestamp>()('created_at'),
  updatedAt: plain<Timestamp>()('updated_at'),
};

/** Of those whose ids are text, and say nothing about their order. */
export const NEWEST_FIRST = byTime<OwnedRow<string>>('created_at', (row) => [row.created_at, row.id]);

export function createOwnedStore<RowId extends Id, Content extends Columns, Fixed extends Columns>(
  db: Knex,
  { table, content, fixed, shared, search, order, taken }: Owned<RowId, Content, Fixed>,
) {
  type Item = ValuesOf<typeof COMMON & Content & Fixed> & { readonly id: RowId };
  const columns = { id: plain<RowId>()('id'), ...COMMON, ...content, ...fixed };
  const itemIn = (row: OwnedRow<RowId>) => valuesIn<Columns>(columns, row as never) as Item;
  const orTaken = orConflict(taken);

  const rows = () => {
    const owner = db('users').select('email').whereRaw(`users.id = ${table}.owner_id`).as('owner');
    return db(table).select(`${table}.*`, owner);
  };
  const first = async (where: object): Promise<Item | undefined> => {
    const row = (await rows().where(where).first()) as OwnedRow<RowId> | undefined;
    return row && itemIn(row);
  };
  const get = async (id: RowId) => (isPossible(id) ? first({ id: cellOf(id) }) : undefined);
  const branches = (visibleTo: Visibility) =>
    visibilityConditions(visibleTo, shared)?.map((reason) => db(table).where(reason));

  return {
    get,
    first,

    async create(owner: Owner, values: ValuesOf<Content>, more: object = {}): Promise<Item> {
      const at = now();
      const own = {
        organization_id: owner.organizationId,
        owner_id: owner.id,
        created_at: at,
        updated_at: at,
      };
      const [made] = (await db(table)
        .insert({ ...own, ...cellsOf<Columns>(content, values), ...more }, ['id'])
        .catch(orTaken)) as [{ readonly id: RowId }];
      const item = await get(made.id);
      if (!item) throw new Error(`A row of ${table} vanished while it was being made.`);
      return item;
    },

    /** `q` is found in what is searched, whatever the case. */
    async list(
      visibleTo: Visibility,
      { q }: { readonly q?: string | undefined },
      page: PageRequest,
    ): Promise<Page<Item>> {
      const matching = (query: Knex.QueryBuilder) =>
        q === undefined ? query : onlyContaining(query, search, q);
      const some = branches(visibleTo)?.map(matching);
      const { data, nextCursor } = await (some
        ? pageOfUnion({ rows: rows(), branches: some }, order, page)
        : pageOf(matching(rows()), order, page));
      return { data: data.map(itemIn), nextCursor };
    },

    /** How many `list` would find. */
    count: (visibleTo: Visibility): Promise<number> => countOf(db(table), branches(visibleTo), 'id'),

    /** Only while it is as it was at that time, where one is given; else, or when it is gone, undefined. */
    async replace(id: RowId, values: ValuesOf<Content>, asOf?: Timestamp): Promise<Item | undefined> {
      if (!isPossible(id)) return undefined;
      const changed = await db(table)
        .where({ id: cellOf(id), ...(asOf === undefined ? {} : { updated_at: asOf }) })
        .update({ ...cellsOf<Columns>(content, values), updated_at: now() })
        .catch(orTaken);
      return changed > 0 ? get(id) : undefined;
    },

    async delete(id: RowId): Promise<boolean> {
      return (
        isPossible(id) &&
        (await db(table)
          .where({ id: cellOf(id) })
          .del()) > 0
      );
    },
  };
}

/** Each lets somebody see some of it; undefined when they see all. */
function visibilityConditions(visibleTo: Visibility, shared: string): readonly object[] | undefined {
  if (visibleTo.everything) return undefined;
  const { userId, organizationId, wholeOrganization } = visibleTo;
  const ofOrganization = { organization_id: organizationId };
  return [{ owner_id: userId }, wholeOrganization ? ofOrganization : { ...ofOrganization, [shared]: true }];
}

function isPossible(id: Id): boolean {
  return typeof id === 'string' || isRowId(id);
}

function cellOf(id: Id): Id {
  return typeof id === 'string' ? storable(id) : id;
}
