import { readdir } from 'node:fs/promises';
import type { Knex } from 'knex';

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
