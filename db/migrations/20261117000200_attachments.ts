import type { Knex } from 'knex';

/** Files that people send along. Their bytes are beside those of documents, under the id. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('attachments', (table) => {
    table.text('id').primary();
    table.integer('owner_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.integer('organization_id').notNullable().references('organizations.id').onDelete('CASCADE').index();
    table.text('filename').notNullable();
    table.text('media_type').notNullable();
    table.integer('bytes').notNullable();
    table.text('sha256').notNullable();
    // "reading", "ready" or "failed".
    table.text('status').notNullable();
    table.text('error');
    // The assistant whose picture it is. Null: it belongs to nothing yet and is taken away after a while.
    table.integer('assistant_id').references('assistants.id').onDelete('CASCADE');
    table.text('created_at').notNullable();
    table.index(['assistant_id', 'created_at']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('attachments');
}
