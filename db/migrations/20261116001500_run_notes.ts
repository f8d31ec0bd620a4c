import type { Knex } from 'knex';

/** Runs that are under way, each with who answers it: what is left of a process that was killed. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('run_notes', (table) => {
    table.text('id').primary();
    table.text('parent_run_id');
    table.text('conversation_id');
    table.integer('activity_id');
    table.integer('assistant_id').references('assistants.id').onDelete('CASCADE').index();
    table.integer('assistant_version').notNullable();
    table.integer('organization_id').notNullable().references('organizations.id').onDelete('CASCADE').index();
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('via').notNullable();
    table.text('started_at').notNullable();
    // Any text that no other process has ever had.
    table.text('process_id').notNullable();
    table.text('lease_until').notNullable().index();
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('run_notes');
}
