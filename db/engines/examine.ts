import { existsSync } from 'node:fs';
import type { Knex } from 'knex';
import type { DatabaseTarget } from '../../src/core/base/database-target.js';
import { openAsItIs } from '../open.js';
import { faultsOfSqlite } from './integrity.js';

/** What is in a database, for whoever wants to know whether it is well. Nothing is changed in it. */
export interface Examined {
  /** What is wrong with the file or the server itself; when there is anything, the rest was not looked at. */
  readonly faults: readonly string[];
  readonly pendingMigrations: number;
  /** Every text in which something sealed may stand. */
  readonly sealedTexts: readonly string[];
  readonly documentIds: readonly string[];
}

const OLDEST_POSTGRES = 150_000;

/** Undefined when there is none yet. */
export async function examineDatabase(target: DatabaseTarget): Promise<Examined | undefined> {
  if (target.kind === 'sqlite' && !existsSync(target.file)) return undefined;
  const faults = target.kind === 'sqlite' ? await faultsOfSqlite(target.file, 'whole') : [];
  const nothing = { pendingMigrations: 0, sealedTexts: [], documentIds: [] };
  if (faults.length > 0) return { faults, ...nothing };
  const db = await openAsItIs(target);
  try {
    const old = target.kind === 'postgres' ? await faultsOfServer(db) : [];
    if (old.length > 0) return { faults: old, ...nothing };
    const pendingMigrations = ((await db.migrate.list()) as [unknown[], unknown[]])[1].length;
    const column = async (table: string, name: string) =>
      (await db.schema.hasTable(table)) ? ((await db(table).whereNotNull(name).pluck(name)) as string[]) : [];
    return {
      ...{ faults, pendingMigrations },
      sealedTexts: (
        await Promise.all([
          column('organizations', 'config'),
          column('lti_platforms', 'shared_secret'),
          column('lti_keys', 'private_key'),
        ])
      ).flat(),
      documentIds: await column('documents', 'id'),
    };
  } finally {
    await db.destroy();
  }
}

async function faultsOfServer(db: Knex): Promise<readonly string[]> {
  const { rows } = await db.raw<{ rows: { server_version_num: string }[] }>('SHOW server_version_num');
  const version = Number(rows[0]?.server_version_num ?? 0);
  return version < OLDEST_POSTGRES ? ['PostgreSQL is older than 15'] : [];
}
