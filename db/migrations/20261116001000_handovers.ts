import type { Knex } from 'knex';

/** Runs that wait for what tools of their client bring. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('handovers', (table) => {
    table.text('id').primary();
    table.text('run_id').notNullable();
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.integer('assistant_id').notNullable();
    table.integer('activity_id');
    table.text('conversation_id');
    // JSON; null once it has gone on.
    table.text('state');
    table.text('claimed_until');
    table.text('expires_at').notNullable().index();
  });
  await db.schema.createTable('handed_calls', (table) => {
    table.text('id').primary();
    table.text('handover_id').notNullable().references('handovers.id').onDelete('CASCADE').index();
    table.integer('position').notNullable();
    table.text('name').notNullable();
    table.text('arguments').notNullable();
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('handed_calls');
  await db.schema.dropTable('handovers');
}
