import type { Knex } from 'knex';
import type { Position } from './read.js';

/**
 * How far a copy into this database has come. The table is there as long as the copy is not whole, so that no service
 * starts on half an installation; afterwards the database is like any other.
 */
const TABLE = 'unfinished_copy';

interface ProgressRow {
  readonly name: string;
  /** JSON: the key of the last row that is there. */
  readonly position: string | null;
  readonly is_done: boolean | number;
}

/** Stands beside the names of tables, and is none. */
const SOURCE = ' source';

export const isUnfinishedCopy = (db: Knex): Promise<boolean> => db.schema.hasTable(TABLE);

/** For whoever starts a service on it. */
export const UNFINISHED =
  'This database is a copy that is not whole yet. Run the same "npm run db:copy" again: it goes on where it was.';

const rowOf = (db: Knex, name: string) => db(TABLE).where({ name }).first<ProgressRow | undefined>();

/** Of the source that this copy is made from. */
export async function sourceOfCopy(db: Knex): Promise<string | undefined> {
  const row = await rowOf(db, SOURCE);
  return row?.position ?? undefined;
}

export async function beginCopy(
  trx: Knex.Transaction,
  source: string,
  tables: readonly string[],
): Promise<void> {
  await trx.schema.createTable(TABLE, (table) => {
    table.text('name').primary();
    table.text('position');
    table.boolean('is_done').notNullable();
  });
  await trx(TABLE).insert([
    { name: SOURCE, position: source, is_done: true },
    ...tables.map((name) => ({ name, position: null, is_done: false })),
  ]);
}

export interface TableProgress {
  readonly position: Position | undefined;
  readonly isDone: boolean;
}

export async function progressOf(db: Knex, table: string): Promise<TableProgress> {
  const row = await rowOf(db, table);
  const position = row?.position == null ? undefined : (JSON.parse(row.position) as Position);
  return { position, isDone: Boolean(row?.is_done) };
}

/**
 * In the transaction that writes the rows, and before them. False when it is not where it was: then another process
 * copies into the same database, and waits for this row or has changed it.
 */
export async function advance(
  trx: Knex.Transaction,
  table: string,
  { from, to }: { readonly from: Position | undefined; readonly to: Position },
): Promise<boolean> {
  const changed = await trx(TABLE)
    .where({ name: table, is_done: false, position: from ? JSON.stringify(from) : null })
    .update({ position: JSON.stringify(to) });
  return changed === 1;
}

export async function markDone(db: Knex, table: string): Promise<void> {
  await db(TABLE).where({ name: table }).update({ is_done: true });
}

export async function endCopy(db: Knex): Promise<void> {
  await db.schema.dropTable(TABLE);
}
