import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('conversations', (table) => {
    table.text('id').primary();
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table.integer('assistant_id').notNullable().references('assistants.id').index();
    table.text('title').notNullable();
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.index(['user_id', 'created_at', 'id']);
  });
  await db.schema.createTable('messages', (table) => {
    table.increments('id');
    table.text('conversation_id').notNullable().references('conversations.id').onDelete('CASCADE');
    table.text('role').notNullable();
    table.text('content').notNullable();
    // No foreign key: an answer is kept before its run is recorded, and after its run is forgotten.
    table.text('run_id');
    table.boolean('incomplete').notNullable().defaultTo(false);
    table.text('created_at').notNullable();
    table.index(['conversation_id', 'id']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('messages');
  await db.schema.dropTable('conversations');
}
