import type { Knex } from 'knex';

/** SQLite takes at most 500 rows and 32 766 values in one insert. */
const ROWS_AT_ONCE = 100;

export async function insertInChunks(
  trx: Knex.Transaction,
  table: string,
  rows: readonly object[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
    await trx(table).insert(rows.slice(start, start + ROWS_AT_ONCE));
  }
}
