import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Knex } from 'knex';
import type { DatabaseTarget } from '../../src/core/base/database-target.js';
import { badRequest } from '../../src/core/errors.js';
import { openAsItIs, openDb, openReadOnly } from '../open.js';
import { isPostgres, rawRows } from '../query/raw-rows.js';
import { codeOf } from '../query/refusals.js';
import { schemaVersionOf } from '../schema-version.js';
import { isUnfinishedCopy, UNFINISHED } from './unfinished.js';

/** For people: where a database is, without what opens it. */
export function nameOf(target: DatabaseTarget): string {
  if (target.kind === 'sqlite') return target.file;
  const { protocol, host, pathname } = new URL(target.url);
  return `${protocol}//${host}${pathname}`;
}

/** One state of the source, whatever is written to it meanwhile. Nothing can be written by way of it. */
export async function withSource<T>(target: DatabaseTarget, work: (db: Knex) => Promise<T>): Promise<T> {
  mustBeAFile(target);
  const db = await openReadOnly(target);
  try {
    return await db.transaction(
      async (snapshot) => {
        await mustBeWhole(snapshot, nameOf(target));
        return work(snapshot);
      },
      isPostgres(db) ? { isolationLevel: 'repeatable read', readOnly: true } : {},
    );
  } finally {
    await db.destroy();
  }
}

function mustBeAFile(target: DatabaseTarget): void {
  if (target.kind !== 'sqlite') return;
  if (!existsSync(target.file)) throw badRequest(`There is no file ${target.file}.`);
  if (!statSync(target.file).isFile())
    throw badRequest(`${target.file} is a folder. Name the file in it, such as bellwether.db.`);
}

async function mustBeWhole(db: Knex, name: string): Promise<void> {
  const version = await schemaVersionOf(db);
  if (!version) throw badRequest(`${name} is no database of Bellwether.`);
  if (await isUnfinishedCopy(db)) throw badRequest(`The source cannot be copied: ${UNFINISHED}`);
  if (version.missing.length > 0)
    throw badRequest(
      `${name} is of an older version. Start it once with this version, stop it, then copy it.`,
    );
  if (version.unknown.length > 0)
    throw badRequest(`${name} is of a newer version. Copy it with the npm run db:copy of that version.`);
}

/** Whoever else seems to be at work on it, in words; undefined when nobody does. */
export async function othersAt(target: DatabaseTarget, db: Knex): Promise<string | undefined> {
  if (target.kind === 'sqlite') {
    // A service takes the mark away when it starts, and leaves it when it has stopped.
    return existsSync(join(dirname(target.file), 'stopped-in-good-order'))
      ? undefined
      : 'A service may be running on it, or was killed';
  }
  const [row] = await rawRows<{ readonly n: number }>(
    db,
    `SELECT count(*)::integer AS n FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    [],
  );
  return row && row.n > 0 ? `Others are connected to it (${String(row.n)})` : undefined;
}

export type TargetState = 'empty' | 'unfinished' | 'filled';

/**
 * For one copy at a time, until it is closed or its process is killed. Its schema is at the newest version afterwards, unless
 * it holds something already: then it is left as it is.
 */
export async function openTarget(
  target: DatabaseTarget,
): Promise<{ readonly db: Knex; readonly state: TargetState; close(): Promise<void> }> {
  const release = target.kind === 'postgres' ? await lockServer(target) : () => Promise.resolve();
  try {
    const state = await stateOf(target);
    const db = await (state === 'empty' ? openDb(target) : openAsItIs(target));
    // A whole copy is only read, and a service may be at work on it.
    if (target.kind === 'sqlite' && state !== 'filled') await lockFile(db, target, state);
    return { db, state, close: () => db.destroy().then(release) };
  } catch (fault) {
    await release();
    // Whoever is at a file keeps all others from it, who wait for a while.
    throw codeOf(fault) === 'SQLITE_BUSY' ? anotherCopy() : fault;
  }
}

export const anotherCopy = () =>
  badRequest('Another process copies into the same target. Let it finish, then run this again.');

/** By a transaction of its own, which ends with its process. */
async function lockServer(target: DatabaseTarget): Promise<() => Promise<void>> {
  const db = await openAsItIs(target);
  const release = () => db.destroy();
  try {
    const trx = await db.transaction();
    const end = () =>
      trx
        .rollback()
        .catch(() => undefined)
        .then(release);
    await trx.raw(`SET LOCAL lock_timeout = ${String(LOCK_WAIT_MS)}`);
    await trx.raw('SELECT pg_advisory_xact_lock(?)', [COPY_LOCK]).catch(async (fault: unknown) => {
      await trx.rollback().catch(() => undefined);
      throw codeOf(fault) === LOCK_NOT_AVAILABLE ? anotherCopy() : fault;
    });
    return end;
  } catch (fault) {
    await release();
    throw fault;
  }
}

/** A server learns a moment later that the process of a copy was killed. As long as is waited for the file of another. */
const LOCK_WAIT_MS = 5_000;
const LOCK_NOT_AVAILABLE = '55P03';

/** Any fixed number will do, as long as nothing else in the database locks on it (`../turns.ts` does, too). */
const COPY_LOCK = 0x42454c4f;

/** Its one connection keeps what it has locked once. It must be as it was found: another may have come and gone since. */
async function lockFile(db: Knex, target: DatabaseTarget, found: TargetState): Promise<void> {
  try {
    for (const step of ['PRAGMA locking_mode = EXCLUSIVE', 'BEGIN EXCLUSIVE', 'COMMIT']) await db.raw(step);
    if ((await stateIn(db, target)) !== found) throw anotherCopy();
  } catch (fault) {
    await db.destroy();
    throw fault;
  }
}

async function stateOf(target: DatabaseTarget): Promise<TargetState> {
  if (target.kind === 'sqlite' && !existsSync(target.file)) return 'empty';
  const db = await openReadOnly(target);
  try {
    return await stateIn(db, target);
  } finally {
    await db.destroy();
  }
}

async function stateIn(db: Knex, target: DatabaseTarget): Promise<TargetState> {
  const version = await schemaVersionOf(db);
  if (!version) {
    await mustHaveNoTables(db, nameOf(target));
    return 'empty';
  }
  const isUnfinished = await isUnfinishedCopy(db);
  // Every first start makes one of each, and nothing else can be without them.
  const isUsed = isUnfinished || (await hasRows(db, 'organizations')) || (await hasRows(db, 'users'));
  if (isUsed && version.missing.length + version.unknown.length > 0)
    throw badRequest(
      `${nameOf(target)} holds data of another version. Copy into a database that is empty, or a file that is not there.`,
    );
  return isUnfinished ? 'unfinished' : isUsed ? 'filled' : 'empty';
}

async function mustHaveNoTables(db: Knex, name: string): Promise<void> {
  const all = isPostgres(db)
    ? 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() LIMIT 1'
    : 'SELECT name FROM sqlite_master LIMIT 1';
  const [other] = await rawRows<{ readonly name: string }>(db, all, []);
  if (other)
    throw badRequest(
      `${name} holds something else (${other.name}). Copy into a database that is empty, or a file that is not there.`,
    );
}

async function hasRows(db: Knex, table: string): Promise<boolean> {
  if (!(await db.schema.hasTable(table))) return false;
  return (await rawRows(db, `SELECT 1 FROM ${table} LIMIT 1`, [])).length > 0;
}
