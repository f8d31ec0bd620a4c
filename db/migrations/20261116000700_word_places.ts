import type { Knex } from 'knex';

/** Where each word stands in the index of SQLite: to count from it costs a third of what its own ranking does. */
export async function up(db: Knex): Promise<void> {
  if (isPostgres(db)) return;
  await db.raw('CREATE VIRTUAL TABLE passage_places USING fts5vocab(passage_index, instance)');
}

export async function down(db: Knex): Promise<void> {
  if (!isPostgres(db)) await db.raw('DROP TABLE passage_places');
}

const isPostgres = (db: Knex) => (db.client as Knex.Client).config.client === 'pg';
