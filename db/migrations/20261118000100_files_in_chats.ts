import type { Knex } from 'knex';

const TEXTS = ['conversation_id', 'reading_until'] as const;
const NUMBERS = ['characters', 'tokens'] as const;

/** Attachments that are sent along with questions. */
export async function up(db: Knex): Promise<void> {
  // With its reference in one statement: SQLite would otherwise write the whole table anew.
  await db.raw(
    'ALTER TABLE attachments ADD COLUMN conversation_id text REFERENCES conversations (id) ON DELETE CASCADE',
  );
  await db.schema.alterTable('attachments', (table) => {
    // While it is read: until then it is left to whoever reads it.
    table.text('reading_until');
    // Of what was read in it.
    for (const column of NUMBERS) table.integer(column);
    table.index('conversation_id');
    table.index(['owner_id', 'created_at']);
  });
  // Apart, as most who look at an attachment want nothing of it.
  await db.schema.createTable('attachment_texts', (table) => {
    table.text('attachment_id').primary().references('attachments.id').onDelete('CASCADE');
    table.text('text').notNullable();
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('attachment_texts');
  await db.schema.alterTable('attachments', (table) => {
    table.dropIndex('conversation_id');
    table.dropIndex(['owner_id', 'created_at']);
  });
  for (const column of [...TEXTS, ...NUMBERS])
    await db.raw('ALTER TABLE attachments DROP COLUMN ??', [column]);
}
