import type { Knex } from 'knex';

/** What a tool tells about what it did, as JSON: names and numbers, never what it found. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('run_steps', (table) => {
    table.text('facts');
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('run_steps', (table) => {
    table.dropColumn('facts');
  });
}
