import type { Knex } from 'knex';
import { foundBy } from './paging.js';

/** How many rows at least one of several queries finds, each along an index of its own; all rows when there are none. */
export async function countOf(
  rows: Knex.QueryBuilder,
  ways: readonly Knex.QueryBuilder[] | undefined,
  key: string,
): Promise<number> {
  const found = ways ? foundBy(ways, rows, key) : rows;
  const [counted] = (await found.count({ number: '*' })) as [{ readonly number: number | string }];
  // PostgreSQL counts beyond what a number holds, and so tells it as text.
  return Number(counted.number);
}
