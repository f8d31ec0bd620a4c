import type { Knex } from 'knex';

const TABLES = ['attachments', 'documents'];

/** Which reason it is that a file could not be read: pages say it in the language of whoever reads them. */
export async function up(db: Knex): Promise<void> {
  for (const name of TABLES)
    await db.schema.alterTable(name, (table) => {
      table.text('error_code');
    });
}

export async function down(db: Knex): Promise<void> {
  for (const name of TABLES) await db.raw(`ALTER TABLE ${name} DROP COLUMN error_code`);
}
