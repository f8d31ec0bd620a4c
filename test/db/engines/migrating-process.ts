/** Run as a process of its own: opens the database it is told of, and says so; or holds the lock until killed. */
import { openDb } from '../../../db/open.js';
import { postgresEngine } from '../../../db/engines/postgres.js';
import { sqliteEngine } from '../../../db/engines/sqlite.js';
import knex from 'knex';
import type { DatabaseTarget } from '../../../src/core/base/database-target.js';

const CONNECTIONS = 4;
const [task, json = ''] = process.argv.slice(2);
const target = JSON.parse(json) as DatabaseTarget;

if (task === 'hold') await holdTheLock();
else await open();

async function open(): Promise<void> {
  const opened = await Promise.all(Array.from({ length: CONNECTIONS }, () => openDb(target)));
  const migrations = await opened[0]?.('knex_migrations').pluck('name');
  console.log(`migrations: ${String(migrations?.length)}`);
  for (const db of opened) await db.destroy();
}

async function holdTheLock(): Promise<void> {
  const engine = target.kind === 'sqlite' ? await sqliteEngine(target.file) : postgresEngine(target.url);
  const db = knex(engine.config);
  await db.transaction(async (trx) => {
    await engine.lockForMigration(trx);
    await trx.schema.createTable('half_done', (table) => table.increments());
    console.log('holding');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  });
}
