import { setTimeout as pause } from 'node:timers/promises';
import knex, { type Knex } from 'knex';
import type { DatabaseTarget } from '../src/core/base/database-target.js';
import type { Logger } from '../src/core/log.js';
import { isUnfinishedCopy, UNFINISHED } from './copy/unfinished.js';
import { waitInTurn } from './engines/connection-wait.js';
import {
  type Engine,
  MIGRATION_WAIT_MS,
  type News,
  type NewsOptions,
  type WatchedChanges,
} from './engines/engine.js';
import { sqliteEngine } from './engines/sqlite.js';
import { createMigrationSource, isNewer, schemaVersionOf } from './schema-version.js';
import { recordBaseline } from './squashed-migrations.js';

/** Whoever asked tells what failed; knex would write it to the terminal besides, with the question. */
const SILENT: Knex.Logger = { warn: () => undefined, error: () => undefined };

/** Opens the database with its schema at the newest version, also when several processes start at once. */
export async function openDb(
  target: DatabaseTarget,
  waited?: (ms: number) => void,
  log?: Pick<Logger, 'info' | 'warn'>,
): Promise<Knex> {
  const engine = await engineOf(target);
  const db = knex({
    ...engine.config,
    log: SILENT,
    migrations: { migrationSource: createMigrationSource() },
  });
  // Before the first connection is made, so that it knows of every one.
  const refusal = engine.watchServer?.(db);
  try {
    await migrateInTurn(db, engine, log);
    waitInTurn(db, waited, refusal);
    return db;
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

/** The database as it is, with whatever schema it has. */
export async function openAsItIs(target: DatabaseTarget): Promise<Knex> {
  const engine = await engineOf(target);
  return knex({ ...engine.config, migrations: { migrationSource: createMigrationSource() } });
}

/** The same to look at: with SQLite nothing can be written by way of it, and no file is made. */
export async function openReadOnly(target: DatabaseTarget): Promise<Knex> {
  const { config, readers = config } = await engineOf(target);
  return knex({ ...readers, log: SILENT });
}

/** Tells what has been written, by whomever, so that what is in memory can be told from what is out of date. */
export async function watchChanges(target: DatabaseTarget, db: Knex): Promise<WatchedChanges> {
  return (await engineOf(target)).watchChanges(db);
}

/** Connections for searches alone, the first of which is made by the first search; undefined where `db` serves as well. */
export async function openReaders(
  target: DatabaseTarget,
  waited?: (ms: number) => void,
): Promise<Knex | undefined> {
  const { readers } = await engineOf(target);
  if (!readers) return undefined;
  const db = knex({ ...readers, log: SILENT });
  waitInTurn(db, waited);
  return db;
}

/** What processes on other machines tell each other; undefined where there are none. */
export async function openNews(
  target: DatabaseTarget,
  db: Knex,
  options: NewsOptions,
): Promise<News | undefined> {
  return (await engineOf(target)).openNews?.(db, options);
}

/** A service has one database, and loads no other's driver. */
async function engineOf(target: DatabaseTarget): Promise<Engine> {
  if (target.kind === 'sqlite') return sqliteEngine(target.file);
  const { postgresEngine } = await import('./engines/postgres.js');
  return postgresEngine(target.url);
}

/** Before anybody who looks at the log wonders why nothing happens. */
const TELL_AFTER_MS = 1_000;
/** For those who waited behind a migration that gave way. */
const LET_OTHERS_MS = 500;

/** A table that others use all the time is tried for again and again, for as long as another's migration is waited for. */
async function migrateInTurn(db: Knex, engine: Engine, log?: Pick<Logger, 'info' | 'warn'>): Promise<void> {
  const telling = setTimeout(() => {
    log?.info(
      { waits_ms: MIGRATION_WAIT_MS },
      'the schema of the database is brought up to date, by this process or by another that is waited for',
    );
  }, TELL_AFTER_MS);
  const giveUpAt = Date.now() + MIGRATION_WAIT_MS;
  try {
    for (;;) {
      try {
        if (await isUpToDate(db, engine)) return;
        const newer = await migrate(db, engine);
        if (newer)
          log?.warn({ migrations: newer }, 'the database is of a newer version; its schema is left as it is');
        return;
      } catch (fault) {
        if (!engine.isInUse(fault)) throw fault;
        if (Date.now() > giveUpAt) throw new Error(IN_USE, { cause: fault });
        await pause(LET_OTHERS_MS);
      }
    }
  } finally {
    clearTimeout(telling);
  }
}

const IN_USE =
  'The schema of the database could not be changed: for a minute others used what a migration is to change, or changed the schema themselves. Nothing was changed. Start it again, at a quieter time if it happens again.';

/** Most starts find nothing to do. By the way of a migration that takes 30 statements, and a look at every key there is. */
async function isUpToDate(db: Knex, engine: Engine): Promise<boolean> {
  const isDone = await db.transaction(async (trx) => {
    await engine.lockForMigration(trx);
    if (await isUnfinishedCopy(trx)) return false;
    const version = await schemaVersionOf(trx);
    return version?.missing.length === 0 && version.unknown.length === 0;
  });
  if (isDone) await engine.afterMigration(db);
  return isDone;
}

/**
 * All in one transaction: a process killed half-way leaves neither half a schema nor a lock behind. What a newer version
 * has done to the schema this one can live with (CONTRIBUTING.md, "A column"): while replicas are exchanged one by one, those of
 * before may start again. Tells the migrations of that version.
 */
async function migrate(db: Knex, engine: Engine): Promise<readonly string[] | undefined> {
  const newer = await db.transaction(
    async (trx) => {
      await engine.lockForMigration(trx);
      // Knex's own lock is a row, and a row outlives its writer. Ours is held, so that row means nothing.
      await trx.migrate.forceFreeMigrationsLock();
      if (await isUnfinishedCopy(trx)) throw new Error(UNFINISHED);
      await recordBaseline(trx);
      const version = await schemaVersionOf(trx);
      if (version && isNewer(version)) return version.unknown;
      await trx.migrate.latest();
      return undefined;
    },
    // SQLite rebuilds a table to alter it, which drops it for a moment; knex checks every key at the end.
    { enforceForeignCheck: false },
  );
  await engine.afterMigration(db);
  return newer;
}
