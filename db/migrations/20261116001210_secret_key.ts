import type { Knex } from 'knex';

/** By what the secret key of all processes is known, so that one with another key is told so when it starts. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('secret_key', (table) => {
    // One row.
    table.integer('id').primary();
    table.text('fingerprint').notNullable();
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('secret_key');
}
