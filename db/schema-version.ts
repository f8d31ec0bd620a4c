import { readdir } from 'node:fs/promises';
import type { Knex } from 'knex';
import { rawRows } from './query/raw-rows.js';

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

/** What a database has of the migrations that this version knows, and what of others. */
export interface SchemaVersion {
  readonly missing: readonly string[];
  readonly unknown: readonly string[];
}

/** Undefined where no migration was ever recorded. Only reads. */
export async function schemaVersionOf(db: Knex): Promise<SchemaVersion | undefined> {
  if (!(await db.schema.hasTable('knex_migrations'))) return undefined;
  const rows = await rawRows<{ readonly name: string }>(db, 'SELECT name FROM knex_migrations', []);
  const source = createMigrationSource();
  const files = await source.getMigrations([]);
  const known = new Set(files.map((file) => source.getMigrationName(file)));
  const done = new Set(rows.map(({ name }) => name));
  return {
    missing: [...known].filter((name) => !done.has(name)),
    unknown: [...done].filter((name) => !known.has(name)),
  };
}

/** It has all that this version knows, and more. What is neither older nor newer knex refuses. */
export const isNewer = ({ missing, unknown }: SchemaVersion): boolean =>
  missing.length === 0 && unknown.length > 0;
