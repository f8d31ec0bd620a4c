import type { Knex } from 'knex';

const COLUMNS = ['greeting', 'starters', 'avatar', 'tags'] as const;

/** How assistants present themselves. Null for none; all but the greeting are JSON. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('assistants', (table) => {
    for (const column of COLUMNS) table.text(column);
  });
}

export async function down(db: Knex): Promise<void> {
  for (const column of COLUMNS) await db.raw('ALTER TABLE assistants DROP COLUMN ??', [column]);
}
