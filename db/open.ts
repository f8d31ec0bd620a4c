import { readdir } from 'node:fs/promises';
import knex, { type Knex } from 'knex';
import type { DatabaseTarget } from '../src/core/base/database-target.js';
import { waitInTurn } from './engines/connection-wait.js';
import type { Engine, News, NewsOptions, WatchedChanges } from './engines/engine.js';
import { sqliteEngine } from './engines/sqlite.js';
import { recordBaseline } from './squashed-migrations.js';

/** Whoever asked tells what failed; knex would write it to the terminal besides, with the question. */
const SILENT: Knex.Logger = { warn: () => undefined, error: () => undefined };

/** Opens the database with its schema at the newest version, also when several processes start at once. */
export async function openDb(target: DatabaseTarget, waited?: (ms: number) => void): Promise<Knex> {
  const engine = await engineOf(target);
  const db = knex({
    ...engine.config,
    log: SILENT,
    migrations: { migrationSource: createMigrationSource() },
  });
  // Before the first connection is made, so that it knows of every one.
  const refusal = engine.watchServer?.(db);
  try {
    await migrate(db, engine);
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

/** All in one transaction: a process killed half-way leaves neither half a schema nor a lock behind. */
async function migrate(db: Knex, engine: Engine): Promise<void> {
  await db.transaction(
    async (trx) => {
      await engine.lockForMigration(trx);
      // Knex's own lock is a row, and a row outlives its writer. Ours is held, so that row means nothing.
      await trx.migrate.forceFreeMigrationsLock();
      await recordBaseline(trx);
      await trx.migrate.latest();
    },
    // SQLite rebuilds a table to alter it, which drops it for a moment; knex checks every key at the end.
    { enforceForeignCheck: false },
  );
  await engine.afterMigration(db);
}

// By way of the root: the build moves this module to another folder, at the same depth.
const FOLDER = new URL('../db/migrations/', import.meta.url);

/** Sources and built files alike; declarations and source maps have a second dot and do not match. */
const MIGRATION_FILE = /^(\d{14}_[a-z0-9_]+)\.[jt]s$/;

/** The files of `migrations/`, recorded without their ending: sources and build share one history. */
export function createMigrationSource(): Knex.MigrationSource<string> {
  return {
    async getMigrations() {
      const files = await readdir(FOLDER);
      return files.filter((file) => MIGRATION_FILE.test(file)).sort();
    },
    getMigrationName: (file) => file.replace(MIGRATION_FILE, '$1'),
    getMigration: (file) => import(new URL(file, FOLDER).href) as Promise<Knex.Migration>,
  };
}
