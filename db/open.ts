import knex, { type Knex } from 'knex';
import type { DatabaseTarget } from '../src/core/base/database-target.js';
import { isUnfinishedCopy, UNFINISHED } from './copy/unfinished.js';
import { waitInTurn } from './engines/connection-wait.js';
import type { Engine, News, NewsOptions, WatchedChanges } from './engines/engine.js';
import { sqliteEngine } from './engines/sqlite.js';
import { createMigrationSource } from './schema-version.js';
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

/** All in one transaction: a process killed half-way leaves neither half a schema nor a lock behind. */
async function migrate(db: Knex, engine: Engine): Promise<void> {
  await db.transaction(
    async (trx) => {
      await engine.lockForMigration(trx);
      // Knex's own lock is a row, and a row outlives its writer. Ours is held, so that row means nothing.
      await trx.migrate.forceFreeMigrationsLock();
      if (await isUnfinishedCopy(trx)) throw new Error(UNFINISHED);
      await recordBaseline(trx);
      await trx.migrate.latest();
    },
    // SQLite rebuilds a table to alter it, which drops it for a moment; knex checks every key at the end.
    { enforceForeignCheck: false },
  );
  await engine.afterMigration(db);
}
