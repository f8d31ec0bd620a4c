import type { Knex } from 'knex';

/** Answers with what was seen beside them, conversations by their last use, and a way back in them. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('messages', (table) => {
    table.text('details');
    // What is looked for in a message that is more than text; elsewhere the content itself is.
    table.text('words');
  });
  await db.schema.alterTable('conversations', (table) => {
    table.integer('rewinds').notNullable().defaultTo(0);
    table.dropIndex(['user_id', 'created_at', 'id']);
    table.index(['user_id', 'updated_at', 'id']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('conversations', (table) => {
    table.dropIndex(['user_id', 'updated_at', 'id']);
    table.index(['user_id', 'created_at', 'id']);
  });
  // In so many words: knex would rebuild the whole table in SQLite.
  await db.raw('ALTER TABLE conversations DROP COLUMN rewinds');
  for (const column of ['details', 'words']) await db.raw('ALTER TABLE messages DROP COLUMN ??', [column]);
}
