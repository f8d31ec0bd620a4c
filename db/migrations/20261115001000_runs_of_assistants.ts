import type { Knex } from 'knex';

/**
 * What the owner of an assistant looks at: its runs, newest first, and what it used. Whoever chatted is somebody else,
 * and an assistant that is open to everyone has callers in every organisation, so no other index leads there.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('runs', (table) => {
    table.index(['assistant_id', 'started_at', 'id']);
  });
  await db.schema.alterTable('usage_ledger', (table) => {
    table.index(['assistant_id', 'created_at']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('usage_ledger', (table) => {
    table.dropIndex(['assistant_id', 'created_at']);
  });
  await db.schema.alterTable('runs', (table) => {
    table.dropIndex(['assistant_id', 'started_at', 'id']);
  });
}
