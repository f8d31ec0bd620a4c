import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Database, Statement } from 'sqlite3';
import {
  ALL_CHANGES,
  createAsk,
  createAskedChanges,
  type Generations,
  TOTAL_OF_CHANGES,
} from '../cache/table-versions.js';
import { ACQUIRE_TIMEOUT_MS, type Engine, MIGRATION_WAIT_MS, type WatchedChanges } from './engine.js';

const BUSY_TIMEOUT_MS = 5_000;

/** Searches at the same time; each holds a thread while it looks. */
const MOST_READERS = 2;

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
    // It waits its time at the lock, and for nothing else.
    isInUse: () => false,
    async afterMigration(db) {
      await db.raw(`PRAGMA busy_timeout = ${String(BUSY_TIMEOUT_MS)}`);
    },
    watchChanges: () => watchFile(file),
    readers: {
      client: 'sqlite3',
      // In the name: knex adds to every set of flags that it may write.
      connection: { filename: `${pathToFileURL(file).href}?mode=ro`, flags: ['OPEN_URI'] },
      useNullAsDefault: true,
      acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
      pool: { min: 0, max: MOST_READERS, afterCreate: applyReaderPragmas },
    },
  };
}

/**
 * Made before SQLite makes it, so that it and the files beside it are readable by this account alone. One that is there
 * is not even opened: closing it again would drop the locks that this process holds on it.
 */
async function createPrivately(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'ax', 0o600).catch((fault: unknown) => {
    if ((fault as NodeJS.ErrnoException).code !== 'EEXIST') throw fault;
    return undefined;
  });
  await handle?.close();
}

type Done = (error: Error | null, connection: Database) => void;

function applyReaderPragmas(connection: Database, done: Done): void {
  connection.exec(`PRAGMA busy_timeout = ${String(BUSY_TIMEOUT_MS)}`, (error) => {
    done(error, connection);
  });
}

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

/** On a connection of its own, so that looking for changes waits for no transaction. */
async function watchFile(file: string): Promise<WatchedChanges> {
  const { default: sqlite3 } = await import('sqlite3');
  const reader = new sqlite3.Database(file, sqlite3.OPEN_READONLY);
  reader.configure('busyTimeout', BUSY_TIMEOUT_MS);
  const [total, all] = [reader.prepare(TOTAL_OF_CHANGES), reader.prepare(ALL_CHANGES)];
  const ask = createAsk({
    total: async () => (await rowOf<{ readonly total: number }>(total)).total,
    all: () => rowOf<Generations>(all),
  });
  await ask();
  return {
    ...createAskedChanges(ask),
    close: () =>
      new Promise((resolve) => {
        total.finalize();
        all.finalize();
        reader.close(() => {
          resolve();
        });
      }),
  };
}

/** Not by `get`: that leaves the statement open, and with it the state of the database at that moment. */
function rowOf<Row>(question: Statement): Promise<Row> {
  return new Promise((resolve, reject) => {
    question.all<Row>((error, rows) => {
      if (error || !rows[0]) reject(error ?? new Error('The table of generations is empty.'));
      else resolve(rows[0]);
    });
  });
}
