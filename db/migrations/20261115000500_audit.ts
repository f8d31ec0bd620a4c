import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('audit', (table) => {
    table.increments('id');
    // No foreign keys: what happened stays on record whatever becomes of those it names.
    table.integer('user_id');
    table.integer('organization_id');
    table.text('action').notNullable();
    table.text('resource').notNullable();
    table.text('outcome').notNullable();
    table.text('reason').notNullable();
    table.text('run_id').index();
    table.text('created_at').notNullable();
    table.index(['user_id', 'created_at']);
    table.index(['organization_id', 'created_at']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('audit');
}
