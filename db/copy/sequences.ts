import type { Knex } from 'knex';
import { isPostgres, rawRows } from '../query/raw-rows.js';
import { quoted } from './read.js';

/** The last number that was given, by the table it is for. */
type Sequences = ReadonlyMap<string, string>;

/** Numbers of rows that are gone are not given again, so the last one may be larger than any that is there. */
export async function lastNumbers(db: Knex): Promise<Sequences> {
  if (!isPostgres(db)) {
    const rows = await rawRows<{ readonly name: string; readonly last: string }>(
      db,
      'SELECT name, CAST(seq AS text) AS last FROM sqlite_sequence',
      [],
    );
    return new Map(rows.map(({ name, last }) => [name, last]));
  }
  const numbers = new Map<string, string>();
  for (const { table, sequence } of await numberedTables(db)) {
    const [row] = await rawRows<{ readonly last: string }>(
      db,
      `SELECT CAST(CASE WHEN is_called THEN last_value ELSE 0 END AS text) AS last FROM ${sequence}`,
      [],
    );
    if (row) numbers.set(table, row.last);
  }
  return numbers;
}

/** Never below what the rows themselves have. */
export async function setLastNumbers(db: Knex, numbers: Sequences): Promise<void> {
  if (!isPostgres(db)) {
    for (const [table, last] of numbers) {
      await db.raw(
        `INSERT INTO sqlite_sequence (name, seq)
         SELECT ?, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)`,
        [table, table],
      );
      await db.raw('UPDATE sqlite_sequence SET seq = max(seq, CAST(? AS integer)) WHERE name = ?', [
        last,
        table,
      ]);
    }
    return;
  }
  for (const { table, column, sequence } of await numberedTables(db)) {
    await db.raw(
      `SELECT setval(?::regclass, greatest(largest, 1), largest > 0)
       FROM (
         SELECT greatest(coalesce(max(${quoted(column)}), 0), ?::bigint) AS largest FROM ${quoted(table)}
       ) AS numbers`,
      [sequence, numbers.get(table) ?? '0'],
    );
  }
}

interface NumberedTable {
  readonly table: string;
  readonly column: string;
  /** As PostgreSQL writes its name. */
  readonly sequence: string;
}

/** By the sequences that belong to columns, whichever way they were declared. Knex's own tables number themselves. */
function numberedTables(db: Knex): Promise<readonly NumberedTable[]> {
  return rawRows<NumberedTable>(
    db,
    `SELECT tables.relname AS "table", columns.attname AS "column", sequences.oid::regclass::text AS sequence
     FROM pg_class AS sequences
     JOIN pg_depend AS owned ON owned.objid = sequences.oid AND owned.deptype IN ('a', 'i')
       AND owned.classid = 'pg_class'::regclass AND owned.refclassid = 'pg_class'::regclass
     JOIN pg_class AS tables ON tables.oid = owned.refobjid
     JOIN pg_attribute AS columns ON columns.attrelid = tables.oid AND columns.attnum = owned.refobjsubid
     WHERE sequences.relkind = 'S' AND tables.relnamespace = current_schema()::regnamespace
       AND tables.relname NOT LIKE 'knex\\_%'`,
    [],
  );
}
