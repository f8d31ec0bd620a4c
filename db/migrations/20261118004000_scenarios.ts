import type { Knex } from 'knex';

/** What assistants are tried with, what came of it, and which version those get who may only chat. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('scenarios', (table) => {
    table.increments('id');
    table.integer('assistant_id').notNullable().references('assistants.id').onDelete('CASCADE').index();
    table.text('name').notNullable();
    table.text('messages').notNullable();
    table.text('expect').notNullable();
    table.boolean('required').notNullable();
    table.text('hash').notNullable();
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
  });
  await db.schema.createTable('suite_runs', (table) => {
    table.text('id').primary();
    table.integer('assistant_id').notNullable().references('assistants.id').onDelete('CASCADE');
    table.integer('version').notNullable();
    table.integer('started_by').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('cassette').notNullable();
    table.integer('repeats').notNullable();
    // As they were when the run was asked for.
    table.text('scenarios').notNullable();
    table.text('content_hash').notNullable();
    table.text('status').notNullable();
    table.boolean('passed');
    table.text('error');
    table.integer('done').notNullable().defaultTo(0);
    table.integer('total').notNullable();
    table.double('cost');
    table.integer('tokens').notNullable().defaultTo(0);
    table.text('results').notNullable();
    table.boolean('is_cancelled').notNullable().defaultTo(false);
    table.integer('attempts').notNullable().defaultTo(0);
    table.text('claim');
    table.text('lease_until');
    table.text('created_at').notNullable();
    table.text('ended_at');
    table.index(['assistant_id', 'created_at']);
  });
  await db.raw('CREATE INDEX suite_runs_waiting ON suite_runs (created_at) WHERE ended_at IS NULL');
  await db.schema.createTable('suite_cassettes', (table) => {
    table.integer('assistant_id').notNullable().references('assistants.id').onDelete('CASCADE');
    table.integer('version').notNullable();
    table.integer('scenario_id').notNullable().references('scenarios.id').onDelete('CASCADE').index();
    table.integer('repetition').notNullable();
    table.text('recording').notNullable();
    table.text('created_at').notNullable();
    table.primary(['assistant_id', 'version', 'scenario_id', 'repetition']);
  });
  await db.schema.createTable('suite_passes', (table) => {
    table.integer('assistant_id').notNullable().references('assistants.id').onDelete('CASCADE');
    table.text('content_hash').notNullable();
    // Empty where somebody let it through.
    table.text('required_hash').notNullable();
    table.integer('version').notNullable();
    table.text('created_at').notNullable();
    table.primary(['assistant_id', 'content_hash', 'required_hash']);
  });
  await db.schema.alterTable('assistants', (table) => {
    table.integer('served_version');
  });
}

export async function down(db: Knex): Promise<void> {
  for (const table of ['suite_passes', 'suite_cassettes', 'suite_runs', 'scenarios'])
    await db.schema.dropTable(table);
  await db.raw('ALTER TABLE assistants DROP COLUMN served_version');
}
