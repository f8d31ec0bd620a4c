import type { Knex } from 'knex';

/** Calls that wait for a person. Rows go as soon as the wait is over. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('approvals', (table) => {
    // No foreign key: the run is recorded when it ends, which is after this row is gone.
    table.text('run_id').notNullable();
    table.text('call_id').notNullable();
    table.integer('user_id').notNullable().references('users.id');
    table.text('tool').notNullable();
    table.text('label').notNullable();
    table.text('arguments').notNullable();
    table.text('expires_at').notNullable().index();
    table.boolean('approved');
    table.primary(['run_id', 'call_id']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('approvals');
}
