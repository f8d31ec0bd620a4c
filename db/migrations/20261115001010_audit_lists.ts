import type { Knex } from 'knex';

type Columns = readonly string[];

/** The audit is read from its newest entry on: all of it, an organisation's, or what one person did. */
const NEEDED: readonly Columns[] = [
  ['created_at', 'id'],
  ['organization_id', 'created_at', 'id'],
  ['user_id', 'created_at', 'id'],
];

/** Beginnings of those above. */
const NEEDLESS: readonly Columns[] = [
  ['organization_id', 'created_at'],
  ['user_id', 'created_at'],
];

export const up = (db: Knex): Promise<void> => exchange(db, NEEDLESS, NEEDED);

export const down = (db: Knex): Promise<void> => exchange(db, NEEDED, NEEDLESS);

async function exchange(db: Knex, before: readonly Columns[], after: readonly Columns[]): Promise<void> {
  await db.schema.alterTable('audit', (table) => {
    for (const columns of before) table.dropIndex(columns);
    for (const columns of after) table.index(columns);
  });
}
