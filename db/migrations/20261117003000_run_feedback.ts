import type { Knex } from 'knex';

/** What whoever asked thinks of the answer. The index holds only the few runs that somebody has spoken about. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('runs', (table) => {
    table.text('rating');
    table.text('rating_comment');
    table.text('rated_at');
  });
  await db.raw('CREATE INDEX runs_rated ON runs (assistant_id, rated_at) WHERE rating IS NOT NULL');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('DROP INDEX runs_rated');
  for (const column of ['rating', 'rating_comment', 'rated_at'])
    await db.raw(`ALTER TABLE runs DROP COLUMN ${column}`);
}
