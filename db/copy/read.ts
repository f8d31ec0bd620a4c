import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { SEALED } from '../../src/core/organizations/secret-box.js';
import { rawRows } from '../query/raw-rows.js';
import { type Cell, cellOf, comparable, type Kind, type Read, readBy } from './cells.js';
import type { CopyColumn, CopyTable } from './plan.js';

export type Row = readonly Cell[];

/** Where in a table somebody has come to: the key of the last row. */
export type Position = readonly string[];

export interface Batch {
  readonly rows: readonly Row[];
  readonly last: Position;
}

/** Whichever is reached first, so that a batch takes little memory however long the rows are. A row is never cut. */
const MOST_ROWS = 1_000;
const MOST_BYTES = 4_000_000;

/** All rows behind a position, by the order of their key. */
export async function* batchesOf(
  db: Knex,
  table: CopyTable,
  after: Position | undefined,
): AsyncGenerator<Batch> {
  for (let position = after; ;) {
    const last = await endOfBatch(db, table, position);
    if (!last) return;
    yield { rows: await rowsBetween(db, table, { after: position, last }), last };
    position = last;
  }
}

export async function countRows(db: Knex, table: string): Promise<number> {
  const [row] = await rawRows<{ readonly n: number | string }>(
    db,
    `SELECT count(*) AS n FROM ${quoted(table)}`,
    [],
  );
  return Number(row?.n);
}

async function endOfBatch(
  db: Knex,
  table: CopyTable,
  after: Position | undefined,
): Promise<Position | undefined> {
  const long = table.columns.filter(({ kind }) => LONG.has(kind));
  const size = long.map((column) => `coalesce(octet_length(${read(column)}), 0)`).join(' + ') || '0';
  const rows = await rawRows<Readonly<Record<string, string | number>>>(
    db,
    `SELECT ${table.key.map((column, i) => `${read(column)} AS k${String(i)}`).join(', ')}, ${size} AS size
     FROM ${quoted(table.name)} AS t ${after ? `WHERE ${compared(table, '>')}` : ''}
     ORDER BY ${keyOf(table)} LIMIT ${String(MOST_ROWS)}`,
    after ?? [],
  );
  let bytes = 0;
  const tooMany = rows.findIndex((row) => (bytes += Number(row['size'])) > MOST_BYTES);
  const end = rows[tooMany === -1 ? rows.length - 1 : Math.max(tooMany - 1, 0)];
  return end && table.key.map((_, i) => String(end[`k${String(i)}`]));
}

const LONG: ReadonlySet<Kind> = new Set(['text', 'bytes']);

async function rowsBetween(
  db: Knex,
  table: CopyTable,
  { after, last }: { readonly after: Position | undefined; readonly last: Position },
): Promise<readonly Row[]> {
  const rows = await rawRows<Readonly<Record<string, Read>>>(
    db,
    `SELECT ${table.columns.map((column, i) => `${read(column)} AS c${String(i)}`).join(', ')}
     FROM ${quoted(table.name)} AS t
     WHERE ${compared(table, '<=')} ${after ? `AND ${compared(table, '>')}` : ''} ORDER BY ${keyOf(table)}`,
    [...last, ...(after ?? [])],
  );
  return rows.map((row) => table.columns.map(({ kind }, i) => cellOf(row[`c${String(i)}`] ?? null, kind)));
}

export const quoted = (name: string): string => `"${name}"`;

/** With the table before it: a name alone would mean the text that a column is read as. */
const column = ({ name }: CopyColumn) => `t.${quoted(name)}`;
const read = (one: CopyColumn) => readBy(column(one), one.kind);
const keyOf = ({ key }: CopyTable) => key.map(column).join(', ');

function compared({ key }: CopyTable, sign: '>' | '<='): string {
  const given = key.map(({ kind }) => `CAST(? AS ${kind === 'integer' ? 'bigint' : 'text'})`);
  return `(${key.map(column).join(', ')}) ${sign} (${given.join(', ')})`;
}

/** What a table holds, in a few words that are the same for the same rows, in whatever order they come. */
export interface Sum {
  readonly rows: number;
  readonly digest: string;
  /** Whether anything in it is sealed with the installation's key. */
  readonly sealed: boolean;
}

const DIGEST_BITS = 256;

export async function sumUp(
  db: Knex,
  table: CopyTable,
  onRows: (count: number) => void = () => undefined,
): Promise<Sum> {
  let [rows, digest, sealed] = [0, 0n, false];
  for await (const batch of batchesOf(db, table, undefined)) {
    for (const row of batch.rows) {
      digest = BigInt.asUintN(DIGEST_BITS, digest + digestOf(row, table));
      sealed ||= row.some((cell) => typeof cell === 'string' && cell.includes(SEALED));
    }
    rows += batch.rows.length;
    onRows(batch.rows.length);
  }
  return { rows, digest: digest.toString(16), sealed };
}

function digestOf(row: Row, { columns }: CopyTable): bigint {
  const cells = row.map((cell, i) => comparable(cell, columns[i]?.kind ?? 'text'));
  return BigInt(`0x${createHash('sha256').update(JSON.stringify(cells)).digest('hex')}`);
}
