import type { Knex } from 'knex';

/**
 * What processes on several machines have let through together, as `RateLimiterPostgres` counts it. Not logged on
 * PostgreSQL: a count is worth nothing after a minute, and a server that was killed may begin it anew.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('rate_limits', (table) => {
    table.text('key').primary();
    table.integer('points').notNullable().defaultTo(0);
    // Milliseconds.
    table.bigInteger('expire');
  });
  if ((db.client as Knex.Client).config.client === 'pg') await db.raw('ALTER TABLE rate_limits SET UNLOGGED');
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('rate_limits');
}
