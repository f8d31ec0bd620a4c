import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import sqlite3 from 'sqlite3';
import { badRequest } from '../../src/core/errors.js';
import { emailKey } from '../stores/users.js';
import { copyDatabase } from './copy-file.js';
import { type LambRow, textOf } from './values.js';

/** A LAMB database, opened to be read and nothing else. Its tables go by their names without the prefix. */
export interface LambSource {
  readonly prefix: string;
  /** The same for every copy of one installation's database, wherever it lies. */
  readonly identity: string;
  /** 0 for a table that this version of LAMB did not have. */
  count(table: string): Promise<number>;
  /** All rows in the order they were made, a few at a time. */
  batches(table: string): AsyncGenerator<readonly LambRow[]>;
  /** The rows whose column has one of these values. */
  where(table: string, column: string, values: readonly (string | number)[]): Promise<readonly LambRow[]>;
  /** A question of one's own, in which `{name}` stands for a table. Nothing when that table is missing. */
  ask(sql: string): Promise<readonly LambRow[]>;
  close(): Promise<void>;
}

export const ROWS_AT_ONCE = 100;

/** Works on a copy that is gone from the disk as soon as it is open: it holds plaintext secrets. */
export async function openLamb(file: string, wantedPrefix?: string): Promise<LambSource> {
  const copy = await copyDatabase(file);
  const db = await openSqliteFile(copy.file).catch(async (fault: unknown) => {
    await copy.remove();
    throw fault;
  });
  const close = async () => {
    await db.close();
    await copy.remove();
  };
  try {
    await makeReadable(db, file);
    const tables = await tablesIn(db);
    const prefix = findPrefix([...tables.values()], wantedPrefix);
    // Not everywhere can an open file be removed; there it goes at the end.
    await copy.remove().catch(() => undefined);
    const reader = createReader(db, tables, prefix);
    return { ...reader, prefix, identity: await identityOf(reader), close };
  } catch (fault) {
    await close();
    throw fault;
  }
}

type Reader = Pick<LambSource, 'count' | 'batches' | 'where' | 'ask'>;

function createReader(db: SqliteFile, tables: ReadonlyMap<string, string>, prefix: string): Reader {
  const nameOf = (table: string) => tables.get((prefix + table).toLowerCase());
  const rows = async (sql: string, values: readonly (string | number)[] = []) =>
    (await db.all<LambRow>(sql, values)).map(inLowerCase);

  return {
    async count(table) {
      const name = nameOf(table);
      if (name === undefined) return 0;
      const [row] = await rows(`SELECT count(*) AS n FROM ${quoted(name)}`);
      return Number(row?.['n']);
    },
    async *batches(table) {
      const name = nameOf(table);
      if (name === undefined) return;
      const sql = `SELECT rowid AS "#", * FROM ${quoted(name)} WHERE rowid > ? ORDER BY rowid LIMIT ?`;
      for (let last: number | undefined = -Number.MAX_SAFE_INTEGER; last !== undefined;) {
        const batch: LambRow[] = await rows(sql, [last, ROWS_AT_ONCE]);
        if (batch.length > 0) yield batch;
        last = batch.at(-1)?.['#'] as number | undefined;
      }
    },
    async where(table, column, values) {
      const name = nameOf(table);
      if (name === undefined || values.length === 0) return [];
      const list = values.map(() => '?').join(', ');
      return rows(
        `SELECT * FROM ${quoted(name)} WHERE ${quoted(column)} IN (${list}) ORDER BY rowid`,
        values,
      );
    },
    async ask(sql) {
      const wanted = [...sql.matchAll(/\{(\w+)\}/g)].map(([, table]) => table ?? '');
      if (wanted.some((table) => nameOf(table) === undefined)) return [];
      return rows(sql.replace(/\{(\w+)\}/g, (_all, table: string) => quoted(nameOf(table) ?? '')));
    },
  };
}

/** Folds the log beside the copy into it, and makes sure that it is whole. */
async function makeReadable(db: SqliteFile, file: string): Promise<void> {
  try {
    await db.all('PRAGMA journal_mode = DELETE');
    const [found] = await db.all<{ readonly quick_check: string }>('PRAGMA quick_check(1)');
    if (found?.quick_check !== 'ok') throw badRequest(`${file} is damaged.`);
    await db.all('PRAGMA query_only = ON');
  } catch (fault) {
    const { code } = fault as { readonly code?: string };
    if (code === 'SQLITE_NOTADB') throw badRequest(`${file} is not an SQLite database.`);
    if (code === 'SQLITE_CORRUPT') throw badRequest(`${file} is damaged.`);
    throw fault;
  }
}

/** By their names in lower case, as SQLite compares them. */
async function tablesIn(db: SqliteFile): Promise<ReadonlyMap<string, string>> {
  const sql = "SELECT name FROM sqlite_master WHERE type = 'table'";
  const found = await db.all<{ readonly name: string }>(sql);
  return new Map(found.map(({ name }) => [name.toLowerCase(), name]));
}

/** Who made it and when: facts that no later use of LAMB changes. */
async function identityOf({ ask }: Reader): Promise<string> {
  const first = (table: string) => ask(`SELECT * FROM {${table}} ORDER BY id LIMIT 1`);
  const [[organization], [user]] = await Promise.all([first('organizations'), first('Creator_users')]);
  const facts = [organization?.['slug'], organization?.['created_at'], user?.['id'], user?.['created_at']];
  const hash = createHash('sha256').update(JSON.stringify(facts.map((fact) => textOf(fact) ?? null)));
  return `lamb:${hash.digest('hex').slice(0, 16)}`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function inLowerCase(row: LambRow): LambRow {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column.toLowerCase(), value]));
}

/** True when nobody administers the service and the first start will not make anybody: that address is taken. */
export async function lacksAdministrator(db: Knex, adminEmail: string): Promise<boolean> {
  const administrator: unknown = await db('users').where({ role: 'system_admin', enabled: true }).first('id');
  if (administrator !== undefined) return false;
  const namesake: unknown = await db('users')
    .where({ email: emailKey(adminEmail) })
    .first('id');
  return namesake !== undefined;
}

/** Every installation has these two, whatever its version. */
const ANCHOR = 'creator_users';
const COMPANION = 'assistants';

/** What the names of LAMB's tables begin with here: nothing, `LAMB_`, or whatever was configured. */
function findPrefix(tables: readonly string[], wanted?: string): string {
  const known = new Set(tables.map((table) => table.toLowerCase()));
  const found = tables
    .filter((table) => table.toLowerCase().endsWith(ANCHOR))
    .map((table) => table.slice(0, -ANCHOR.length))
    .filter((prefix) => known.has(prefix.toLowerCase() + COMPANION));

  if (found.length === 0)
    throw badRequest('This is no LAMB database: it has no tables for users and assistants.');
  const chosen = wanted === undefined ? found : found.filter((prefix) => prefix === wanted);
  if (chosen.length === 1) return chosen[0] ?? '';
  const names = found.map((prefix) => `"${prefix}"`).join(', ');
  if (wanted === undefined)
    throw badRequest(
      `The file holds several installations, with the table prefixes ${names}. Choose one with --prefix.`,
    );
  throw badRequest(`The file holds no installation with the table prefix "${wanted}". There is ${names}.`);
}

/** The driver itself: knex gives a meaning to dots and question marks, and the names of tables here may have both. */
export interface SqliteFile {
  all<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export async function openSqliteFile(file: string): Promise<SqliteFile> {
  const db = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened = new sqlite3.Database(file, (fault) => {
      if (fault) reject(fault);
      else resolve(opened);
    });
  });
  return {
    all: <Row>(sql: string, values: readonly unknown[] = []) =>
      new Promise<Row[]>((resolve, reject) => {
        db.all<Row>(sql, values, (fault, rows) => {
          if (fault) reject(fault);
          else resolve(rows);
        });
      }),
    close: () =>
      new Promise<void>((resolve, reject) => {
        db.close((fault) => {
          if (fault) reject(fault);
          else resolve();
        });
      }),
  };
}
