import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('prompt_templates', (table) => {
    // Derived at write, as with assistants: no database can fold the case of all of Unicode.
    table.text('search_text').notNullable().defaultTo('');
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('prompt_templates', (table) => {
    table.dropColumn('search_text');
  });
}
