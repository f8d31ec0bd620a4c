import { join } from 'node:path';
import knex, { type Knex } from 'knex';
import { sqliteEngine } from '../../../db/engines/sqlite.js';
import { createStores } from '../../../db/stores.js';
import type { Stores } from '../../../src/core/stores.js';
import { besideService } from '../../support/at-the-end.js';

interface Opened {
  readonly db: Knex;
  readonly stores: Stores;
}

/** One for each folder, while nobody works with it: to open one takes longer than most of what is done with it. */
const idle = new Map<string, Opened>();

/** Works with the database of a running service beside it, on a connection of its own. The service has migrated it. */
export async function inDatabase<T>(
  { dataDir }: { readonly dataDir: string },
  work: (stores: Stores, db: Knex) => Promise<T>,
): Promise<T> {
  const kept = idle.get(dataDir);
  // At once: another may be put there while one is opened.
  idle.delete(dataDir);
  const opened = kept ?? (await openDatabase(dataDir));
  let isWell = false;
  try {
    const result = await work(opened.stores, opened.db);
    isWell = true;
    return result;
  } finally {
    if (!isWell || !isKept(dataDir, opened)) await opened.db.destroy();
  }
}

function isKept(dataDir: string, opened: Opened): boolean {
  const end = async () => {
    const left = idle.get(dataDir);
    idle.delete(dataDir);
    await left?.db.destroy();
  };
  if (idle.has(dataDir) || !besideService(dataDir, end)) return false;
  idle.set(dataDir, opened);
  return true;
}

async function openDatabase(dataDir: string): Promise<Opened> {
  const { config } = await sqliteEngine(join(dataDir, 'bellwether.db'));
  const db = knex(config);
  const stores = createStores(db, {
    filesFolder: join(dataDir, 'files'),
    documentsFolder: join(dataDir, 'documents'),
    attachmentsFolder: join(dataDir, 'attachments'),
    catalogue: { placeholderOf: () => undefined },
  });
  return { db, stores };
}
