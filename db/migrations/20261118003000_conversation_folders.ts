import type { Knex } from 'knex';

/** How people keep their conversations in order. The indexes hold only the few that somebody has put somewhere. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('conversations', (table) => {
    table.text('pinned_at');
    table.text('folder');
  });
  await db.raw(`CREATE INDEX conversations_pinned
    ON conversations (user_id, updated_at, id) WHERE pinned_at IS NOT NULL`);
  await db.raw(`CREATE INDEX conversations_in_folders
    ON conversations (user_id, folder, updated_at, id) WHERE folder IS NOT NULL`);
}

export async function down(db: Knex): Promise<void> {
  for (const index of ['conversations_pinned', 'conversations_in_folders'])
    await db.raw(`DROP INDEX ${index}`);
  for (const column of ['pinned_at', 'folder'])
    await db.raw(`ALTER TABLE conversations DROP COLUMN ${column}`);
}
