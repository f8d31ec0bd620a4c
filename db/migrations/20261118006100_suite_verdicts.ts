import type { Knex } from 'knex';

/** What came of the newest run of all required scenarios: one row each, which pages of assistants read. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('suite_verdicts', (table) => {
    table.integer('assistant_id').primary().references('assistants.id').onDelete('CASCADE');
    table.integer('version').notNullable();
    table.text('content_hash').notNullable();
    table.boolean('passed').notNullable();
    table.text('created_at').notNullable();
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('suite_verdicts');
}
