import type { Knex } from 'knex';

const TABLES = ['assistants', 'prompt_templates'];

/** Copies in small letters, for searches that did not fold accents: now every list is searched in its own words. */
export async function up(db: Knex): Promise<void> {
  for (const table of TABLES) await db.raw('ALTER TABLE ?? DROP COLUMN search_text', [table]);
}

export async function down(db: Knex): Promise<void> {
  for (const table of TABLES) {
    await db.raw("ALTER TABLE ?? ADD COLUMN search_text text NOT NULL DEFAULT ''", [table]);
    await db(table).update({ search_text: db.raw("lower(name || '\n' || description)") });
  }
}
