import type { Knex } from 'knex';
import { badRequest } from '../../src/core/errors.js';
import type { Page, PageRequest } from '../../src/core/stores.js';
import { isRowId } from './values.js';

/**
 * By columns that never change, newest first unless it says otherwise, so that no row is seen twice or missed. Where one
 * may change, it must only ever grow, and the store says what that means to a reader.
 */
export interface Order<Row> {
  readonly direction?: 'asc';
  readonly columns: readonly string[];
  /** Where a row stands: the values of those columns. */
  position(row: Row): readonly (string | number)[];
  /** False for a position that cannot have come from `position`. */
  accepts(position: readonly unknown[]): boolean;
}

export function byId<Row extends { readonly id: number }>(column: string): Order<Row> {
  return {
    columns: [column],
    position: (row) => [row.id],
    accepts: ([id, ...rest]) => typeof id === 'number' && isRowId(id) && rest.length === 0,
  };
}

const STORED_ID = /^[^\0]{1,200}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export const byTime = <Row>(timeColumn: string, position: (row: Row) => readonly [string, string]) =>
  byTimeAnd(timeColumn, position, (id) => typeof id === 'string' && STORED_ID.test(id));

/** The same for rows with a number. */
export const byTimeAndRow = <Row>(timeColumn: string, position: (row: Row) => readonly [string, number]) =>
  byTimeAnd(timeColumn, position, (id) => typeof id === 'number' && isRowId(id));

function byTimeAnd<Row>(
  timeColumn: string,
  position: (row: Row) => readonly [string, string | number],
  isId: (id: unknown) => boolean,
): Order<Row> {
  return {
    columns: [timeColumn, 'id'],
    position,
    accepts: ([time, id, ...rest]) =>
      typeof time === 'string' && TIMESTAMP.test(time) && isId(id) && rest.length === 0,
  };
}

/** Asks for one row more than wanted: whether it came tells whether there is a next page. */
export async function pageOf<Row extends object>(
  query: Knex.QueryBuilder,
  order: Order<Row>,
  { limit, cursor }: PageRequest,
): Promise<Page<Row>> {
  const rows = (await upTo(query, order, { limit, cursor })) as Row[];

  const data = rows.slice(0, limit);
  const last = data.at(-1);
  return { data, nextCursor: rows.length > limit && last ? cursorAt(order.position(last)) : null };
}

/**
 * A page of what at least one of several queries finds. An OR of their conditions would be tried on every row there is;
 * like this each goes along an index of its own, and no further than the page does.
 */
export function pageOfUnion<Row extends object>(
  { rows, branches }: { readonly rows: Knex.QueryBuilder; readonly branches: readonly Knex.QueryBuilder[] },
  order: Order<Row>,
  page: PageRequest,
): Promise<Page<Row>> {
  const key = order.columns.at(-1) ?? 'id';
  const newest = branches.map((way) => upTo(way, order, page));
  return pageOf(foundBy(newest, rows, key), order, page);
}

/** Only rows whose key at least one of the queries finds. */
export function foundBy(
  branches: readonly Knex.QueryBuilder[],
  rows: Knex.QueryBuilder,
  key: string,
): Knex.QueryBuilder {
  const keys = branches.map((way): Knex.QueryCallback => {
    const found = way.select(`${key} as key`).as('way');
    return (query) => void query.select('key').from(found);
  });
  return rows.whereIn(key, (any) => void any.unionAll(keys));
}

/** The page's rows and one more. */
export function upTo<Row>(query: Knex.QueryBuilder, order: Order<Row>, { limit, cursor }: PageRequest) {
  if (cursor !== undefined) query.whereRaw(...isAfter(order, positionIn(cursor, order)));
  for (const column of order.columns) query.orderBy(column, order.direction ?? 'desc');
  return query.limit(limit + 1);
}

/** Row values compare column by column in both databases, and use the index as it stands. */
function isAfter<Row>(
  { columns, direction }: Order<Row>,
  position: readonly (string | number)[],
): [string, (string | number)[]] {
  const names = columns.map(() => '??').join(', ');
  const values = columns.map(() => '?').join(', ');
  const past = direction === 'asc' ? '>' : '<';
  return [`(${names}) ${past} (${values})`, [...columns, ...position]];
}

function cursorAt(position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function positionIn<Row>(cursor: string, order: Order<Row>): readonly (string | number)[] {
  const position = parsed(Buffer.from(cursor, 'base64url').toString());
  if (!Array.isArray(position) || !order.accepts(position)) {
    throw badRequest('The cursor is not one that an earlier page gave.', 'cursor');
  }
  return position as (string | number)[];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** How many rows at least one of several queries finds, each along an index of its own; all rows when there are none. */
export async function countOf(
  rows: Knex.QueryBuilder,
  branches: readonly Knex.QueryBuilder[] | undefined,
  key: string,
): Promise<number> {
  const found = branches ? foundBy(branches, rows, key) : rows;
  const [counted] = (await found.count({ number: '*' })) as [{ readonly number: number | string }];
  // PostgreSQL counts beyond what a number holds, and so tells it as text.
  return Number(counted.number);
}
