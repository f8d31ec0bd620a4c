import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await createRuns(db);
  await createSteps(db);
  await createLedger(db);
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('usage_ledger');
  await db.schema.dropTable('run_steps');
  await db.schema.dropTable('runs');
}

async function createRuns(db: Knex): Promise<void> {
  await db.schema.createTable('runs', (table) => {
    table.text('id').primary();
    // No foreign keys on these two: a child is recorded before its parent, and a conversation may be deleted.
    table.text('parent_run_id').index();
    table.text('conversation_id');
    table.integer('assistant_id').notNullable().references('assistants.id');
    table.integer('assistant_version').notNullable();
    table.integer('organization_id').notNullable().references('organizations.id');
    table.integer('user_id').notNullable().references('users.id');
    table.text('via').notNullable();
    table.text('status').notNullable();
    table.text('error_code');
    table.text('started_at').notNullable();
    table.integer('ms').notNullable();
    table.integer('iterations').notNullable();
    table.boolean('capped').notNullable();
    table.integer('prompt_tokens').notNullable();
    table.integer('completion_tokens').notNullable();
    table.boolean('estimated').notNullable();
    table.index(['started_at', 'id']);
    table.index(['user_id', 'started_at', 'id']);
    table.index(['organization_id', 'started_at', 'id']);
    table.index(['assistant_id', 'started_at']);
  });
}

async function createSteps(db: Knex): Promise<void> {
  await db.schema.createTable('run_steps', (table) => {
    table.text('run_id').notNullable().references('runs.id').onDelete('CASCADE');
    table.integer('position').notNullable();
    table.text('kind').notNullable();
    table.text('tool');
    table.boolean('ok').notNullable();
    table.text('started_at').notNullable();
    table.integer('ms').notNullable();
    table.integer('iteration').notNullable();
    table.integer('input_chars').notNullable();
    table.text('input_sha256').notNullable();
    table.integer('output_chars').notNullable();
    table.text('output_sha256').notNullable();
    table.text('connector');
    table.text('model');
    table.integer('prompt_tokens');
    table.integer('completion_tokens');
    table.boolean('estimated');
    table.text('child_run_id');
    table.text('detail');
    table.primary(['run_id', 'position']);
  });
}

async function createLedger(db: Knex): Promise<void> {
  await db.schema.createTable('usage_ledger', (table) => {
    table.increments('id');
    // What was spent stays on the books when traces are cleaned up, so the run is named without a foreign key.
    table.text('run_id').notNullable().index();
    table.integer('organization_id').notNullable().references('organizations.id');
    table.integer('user_id').notNullable().references('users.id');
    table.integer('assistant_id').notNullable().references('assistants.id');
    table.text('connector');
    table.text('model');
    table.integer('prompt_tokens').notNullable();
    table.integer('completion_tokens').notNullable();
    // Counted from the text's length, because the provider did not say.
    table.boolean('estimated').notNullable();
    table.text('created_at').notNullable();
    table.index(['organization_id', 'created_at']);
    table.index(['user_id', 'created_at']);
    table.index(['assistant_id', 'created_at']);
  });
}
