import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Database } from 'sqlite3';
import { ACQUIRE_TIMEOUT_MS, MIGRATION_WAIT_MS, type Engine } from './engine.js';

const BUSY_TIMEOUT_MS = 5_000;

/** "BELL": marks the file as ours. */
const APPLICATION_ID = 0x42454c4c;

// busy_timeout comes first: the switch to WAL itself may have to wait for a rival.
// synchronous=FULL: what was acknowledged survives a power cut; run records share one sync per group.
// legacy_alter_table: a migration renames the rebuilt table to the name of the dropped one, and must not stumble over
// a temporary trigger that writes to it.
const PRAGMAS = `
  PRAGMA busy_timeout = ${String(BUSY_TIMEOUT_MS)};
  PRAGMA journal_mode = WAL;
  PRAGMA foreign_keys = ON;
  PRAGMA synchronous = FULL;
  PRAGMA legacy_alter_table = ON;
`;

export async function sqliteEngine(file: string): Promise<Engine> {
  await createPrivately(file);
  return {
    config: {
      client: 'sqlite3',
      connection: { filename: file },
      useNullAsDefault: true,
      acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
      // One connection: knex begins transactions deferred, and of two such connections that read and then
      // write one fails with SQLITE_BUSY at once, whatever the busy timeout says.
      pool: { min: 1, max: 1, afterCreate: applyPragmas },
    },
    async lockForMigration(trx) {
      await trx.raw(`PRAGMA busy_timeout = ${String(MIGRATION_WAIT_MS)}`);
      // A write before any read turns the deferred transaction into the only writer, or waits to become it.
      await trx.raw(`PRAGMA application_id = ${String(APPLICATION_ID)}`);
    },
    async afterMigration(db) {
      await db.raw(`PRAGMA busy_timeout = ${String(BUSY_TIMEOUT_MS)}`);
    },
  };
}

/** Made before SQLite makes it, so that it and the files beside it are readable by this account alone. */
async function createPrivately(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'a', 0o600);
  await handle.close();
}

type Done = (error: Error | null, connection: Database) => void;

/** Of many connections that switch a new file to WAL, SQLite refuses some without waiting: those try again. */
function applyPragmas(connection: Database, done: Done): void {
  const giveUpAt = Date.now() + BUSY_TIMEOUT_MS;
  const attempt = () => {
    connection.exec(PRAGMAS, (error) => {
      if (isBusy(error) && Date.now() < giveUpAt) attempt();
      else done(error, connection);
    });
  };
  attempt();
}

function isBusy(error: (Error & { readonly code?: string }) | null): boolean {
  return error?.code === 'SQLITE_BUSY';
}
