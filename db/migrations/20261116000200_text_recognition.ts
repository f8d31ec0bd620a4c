import type { Knex } from 'knex';

/** Text recognition is switched on for a collection; documents and passages say what it is to them. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('collections', (table) => {
    table.boolean('ocr').notNullable().defaultTo(false);
  });
  await db.schema.alterTable('documents', (table) => {
    // More of it would be read with text recognition.
    table.boolean('needs_ocr').notNullable().defaultTo(false);
  });
  await db.schema.alterTable('passages', (table) => {
    // `recognised` or `described`; nothing where the text stands in the document as text.
    table.text('origin');
  });
  // In the words in which scans were refused until now.
  await db('documents').where('error', 'like', 'No text was found on %').update({ needs_ocr: true });
}

export async function down(db: Knex): Promise<void> {
  await db.raw('ALTER TABLE passages DROP COLUMN origin');
  await db.raw('ALTER TABLE documents DROP COLUMN needs_ocr');
  await db.raw('ALTER TABLE collections DROP COLUMN ocr');
}
