import type { Knex } from 'knex';

/**
 * What is said and spent in an activity is known to be of that activity. The books are kept when a person is forgotten,
 * without the person.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('usage_ledger', (table) => {
    table.setNullable('user_id');
  });
  // No foreign keys: a column that has one can only be added by writing the whole table anew.
  for (const name of ['conversations', 'runs', 'usage_ledger']) {
    await db.schema.alterTable(name, (table) => {
      table.integer('activity_id');
    });
  }
  await db.schema.alterTable('conversations', (table) => {
    // As it was when the conversation began.
    table.text('transcript_policy');
  });
  await onlyWhere(db, 'conversations', 'updated_at, id');
  await onlyWhere(db, 'runs', 'started_at, id');
  await onlyWhere(db, 'usage_ledger', 'created_at');
}

export async function down(db: Knex): Promise<void> {
  for (const name of ['conversations', 'runs', 'usage_ledger']) {
    await db.raw('DROP INDEX ??', [`${name}_of_activities`]);
    await db.raw('ALTER TABLE ?? DROP COLUMN activity_id', [name]);
  }
  await db.raw('ALTER TABLE conversations DROP COLUMN transcript_policy');
  // The older form has no place for what nobody used.
  await db('usage_ledger').whereNull('user_id').delete();
  await db.schema.alterTable('usage_ledger', (table) => {
    table.dropNullable('user_id');
  });
}

/** Chats that come another way pay nothing for it. */
async function onlyWhere(db: Knex, table: string, columns: string): Promise<void> {
  await db.raw(
    `CREATE INDEX ${table}_of_activities ON ${table} (activity_id, ${columns}) WHERE activity_id IS NOT NULL`,
  );
}
