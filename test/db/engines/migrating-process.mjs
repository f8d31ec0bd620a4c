/** Run as a process of its own: opens the database it is told of, and says so; or holds the lock until killed. */
import { writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import knex from 'knex';
import { postgresEngine } from '../../../dist/db/engines/postgres.js';
import { sqliteEngine } from '../../../dist/db/engines/sqlite.js';
import { openDb } from '../../../dist/db/open.js';

const CONNECTIONS = 2;
const [task, json] = process.argv.slice(2);
const target = JSON.parse(json);

if (task === 'hold') await holdTheLock();
else await open();

async function open() {
  const opened = await Promise.all(Array.from({ length: CONNECTIONS }, () => openDb(target)));
  const migrations = await opened[0]('knex_migrations').pluck('name');
  writeSync(1, `migrations: ${migrations.length}\n`);
  for (const db of opened) await db.destroy();
}

async function holdTheLock() {
  const engine = target.kind === 'sqlite' ? await sqliteEngine(target.file) : postgresEngine(target.url);
  const db = knex(engine.config);
  await db.transaction(async (trx) => {
    await engine.lockForMigration(trx);
    await trx.schema.createTable('half_done', (table) => table.increments());
    writeSync(1, 'holding\n');
    await delay(60_000);
  });
}
