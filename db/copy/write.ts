import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Knex } from 'knex';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { isPostgres } from '../query/raw-rows.js';
import { postgresText, sqliteValue } from './cells.js';
import { derivedColumns, type NamedCells, writeDerivedRows } from './derived.js';
import type { CopyTable } from './plan.js';
import { quoted, type Row } from './read.js';

/** With what is derived from them, in the given transaction. */
export async function writeRows(
  trx: Knex.Transaction,
  table: CopyTable,
  rows: readonly Row[],
): Promise<void> {
  await (isPostgres(trx) ? copyIntoPostgres : insertIntoSqlite)(trx, table, rows);
  await writeDerivedRows(
    trx,
    table.name,
    rows.map((row) => named(table, row)),
  );
}

const named = ({ columns }: CopyTable, row: Row): NamedCells => {
  return (name) => row[columns.findIndex((column) => column.name === name)] ?? null;
};

/** Variables of one statement; SQLite would take more, but has no use for them. */
const MOST_VALUES = 2_000;

async function insertIntoSqlite(trx: Knex.Transaction, { name, columns }: CopyTable, rows: readonly Row[]) {
  const into = `INSERT INTO ${quoted(name)} (${columns.map((column) => quoted(column.name)).join(', ')})`;
  const places = `(${columns.map(() => '?').join(', ')})`;
  const atOnce = Math.max(1, Math.floor(MOST_VALUES / columns.length));
  for (let start = 0; start < rows.length; start += atOnce) {
    const some = rows.slice(start, start + atOnce);
    const values = some.flatMap((row) => row.map((cell, i) => sqliteValue(cell, columns[i]?.kind ?? 'text')));
    await trx.raw(`${into} VALUES ${some.map(() => places).join(', ')}`, values as Knex.Value[]);
  }
}

/** What knex has but its types do not tell: inside a transaction it is the transaction's own connection. */
interface Connected {
  acquireConnection(): Promise<Client>;
}

async function copyIntoPostgres(trx: Knex.Transaction, table: CopyTable, rows: readonly Row[]) {
  const { name, columns } = table;
  const derived = derivedColumns(name);
  const names = [...columns, ...derived].map((column) => quoted(column.name)).join(', ');
  const connection = await (trx.client as unknown as Connected).acquireConnection();
  const lines = rows.map((row) => {
    const own = row.map(postgresText);
    const made = derived.map(({ value }) => postgresText(value(named(table, row))));
    return `${[...own, ...made].join('\t')}\n`;
  });
  await pipeline(
    Readable.from(lines),
    connection.query(copyFrom(`COPY ${quoted(name)} (${names}) FROM STDIN`)),
  );
}
