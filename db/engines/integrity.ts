import { existsSync } from 'node:fs';
import type { Knex } from 'knex';
import type { DatabaseTarget } from '../../src/core/base/database-target.js';
import { openAsItIs } from '../open.js';
import { rawRows } from '../query/raw-rows.js';
import { createMigrationSource, schemaVersionOf } from '../schema-version.js';
import { beforeBaseline } from '../squashed-migrations.js';

/** Enough to see what kind of damage it is. */
const MOST_FAULTS = 20;
/** What SQLite says of a file in which it cannot even look. */
const DAMAGED = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);

/**
 * What is wrong with the file, in SQLite's words; empty when it is whole, or not there yet. `quick` reads every page and
 * every row, once; `whole` also compares each index with its table and each reference with its row.
 */
export async function faultsOfSqlite(file: string, depth: 'quick' | 'whole'): Promise<readonly string[]> {
  if (!existsSync(file)) return [];
  const db = await openFile(file);
  try {
    const check = depth === 'quick' ? 'quick_check' : 'integrity_check';
    const found = (await db.rows(`PRAGMA ${check}(${String(MOST_FAULTS)})`)).map((row) => String(row[check]));
    const faults = found.filter((fault) => fault !== 'ok');
    return depth === 'quick' || faults.length > 0
      ? faults
      : (await db.rows('PRAGMA foreign_key_check')).map(orphan);
  } catch (fault) {
    const { code = '', message } = fault as { readonly code?: string; readonly message: string };
    if (DAMAGED.has(code)) return [message];
    throw fault;
  } finally {
    await db.close();
  }
}

type Row = Readonly<Record<string, unknown>>;

/** May write: what a killed process left in the log beside the file is part of it, and is put in its place. */
async function openFile(file: string) {
  const { default: sqlite3 } = await import('sqlite3');
  const db = new sqlite3.Database(file, sqlite3.OPEN_READWRITE);
  return {
    rows: (question: string) =>
      new Promise<Row[]>((resolve, reject) => {
        db.all<Row>(question, (error, rows) => {
          if (error) reject(error);
          else resolve(rows);
        });
      }),
    close: () =>
      new Promise<void>((resolve) => {
        db.close(() => {
          resolve();
        });
      }),
  };
}

function orphan({ table, rowid, parent }: Row): string {
  return `row ${String(rowid)} of ${String(table)} refers to a row of ${String(parent)} that is not there`;
}

/** What is in a database, for whoever wants to know whether it is well. Nothing is changed in it. */
export interface Examined {
  /** What is wrong with the file or the server itself; when there is anything, the rest was not looked at. */
  readonly faults: readonly string[];
  /** Which server it is, and what it has or lacks for vectors; nothing of a file. */
  readonly server?: string | undefined;
  readonly pendingMigrations: number;
  /** Those of a newer version, which this one does not know. */
  readonly newerMigrations: number;
  /** Why no start can bring them. */
  readonly schemaFault?: string | undefined;
  /** Every text in which something sealed may stand. */
  readonly sealedTexts: readonly string[];
  /** Of the key that all processes have to have; on SQLite none is asked for. */
  readonly keyFingerprint?: string | undefined;
  readonly documentIds: readonly string[];
  /** Those whose bytes are kept. */
  readonly attachmentIds: readonly string[];
}

const OLDEST_POSTGRES = 150_000;

/** Undefined when there is none yet. */
export async function examineDatabase(target: DatabaseTarget): Promise<Examined | undefined> {
  if (target.kind === 'sqlite' && !existsSync(target.file)) return undefined;
  const faults = target.kind === 'sqlite' ? await faultsOfSqlite(target.file, 'whole') : [];
  const nothing = {
    pendingMigrations: 0,
    newerMigrations: 0,
    sealedTexts: [],
    documentIds: [],
    attachmentIds: [],
  };
  if (faults.length > 0) return { faults, ...nothing };
  const db = await openAsItIs(target);
  try {
    const old = target.kind === 'postgres' ? await faultsOfServer(db) : [];
    if (old.length > 0) return { faults: old, ...nothing };
    const column = async (table: string, name: string) =>
      (await db.schema.hasTable(table)) ? ((await db(table).whereNotNull(name).pluck(name)) as string[]) : [];
    return {
      ...{ faults, ...(await schemaOf(db)) },
      server: target.kind === 'postgres' ? await describeServer(db) : undefined,
      sealedTexts: (
        await Promise.all([
          column('organizations', 'config'),
          column('lti_platforms', 'shared_secret'),
          column('lti_keys', 'private_key'),
        ])
      ).flat(),
      keyFingerprint: target.kind === 'postgres' ? (await column('secret_key', 'fingerprint'))[0] : undefined,
      documentIds: await column('documents', 'id'),
      attachmentIds: (await db.schema.hasTable('attachments'))
        ? await db('attachments').whereNot('status', 'failed').pluck<string[]>('id')
        : [],
    };
  } finally {
    await db.destroy();
  }
}

async function schemaOf(
  db: Knex,
): Promise<Pick<Examined, 'pendingMigrations' | 'newerMigrations' | 'schemaFault'>> {
  const older = await beforeBaseline(db);
  const all = await createMigrationSource().getMigrations([]);
  const version = older ? undefined : await schemaVersionOf(db);
  const { missing = all, unknown = [] } = version ?? {};
  return {
    pendingMigrations: missing.length,
    newerMigrations: unknown.length,
    schemaFault: older?.fault ?? (missing.length > 0 && unknown.length > 0 ? OF_ANOTHER_LINE : undefined),
  };
}

const OF_ANOTHER_LINE =
  'This database has migrations that this version does not know, and lacks others that it does. Start it with the version ' +
  'that changed it last.';

async function faultsOfServer(db: Knex): Promise<readonly string[]> {
  const { rows } = await db.raw<{ rows: { server_version_num: string }[] }>('SHOW server_version_num');
  const version = Number(rows[0]?.server_version_num ?? 0);
  return version < OLDEST_POSTGRES ? ['PostgreSQL is older than 15'] : [];
}

async function describeServer(db: Knex): Promise<string> {
  const [row] = await rawRows<Readonly<Record<'version' | 'offered' | 'made', string | null>>>(
    db,
    `SELECT current_setting('server_version') AS version,
       (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS offered,
       (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS made`,
    [],
  );
  const { version = '', offered, made } = row ?? {};
  const missing = offered
    ? 'pgvector is installed but not made: the next start makes it, or an administrator with CREATE EXTENSION vector'
    : 'without pgvector: large knowledge bases are searched without an index';
  return `PostgreSQL ${version ?? ''}, ${made ? `pgvector ${made}` : missing}`;
}
