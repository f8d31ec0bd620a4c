import type { Knex } from 'knex';

/** What was done, what it cost, who was refused, and which calls wait for a person. */
export async function createRuns(db: Knex): Promise<void> {
  await createRunTable(db);
  await createSteps(db);
  await createLedger(db);
  await createAudit(db);
  await createApprovals(db);
}

async function createRunTable(db: Knex): Promise<void> {
  await db.schema.createTable('runs', (table) => {
    table.text('id').primary();
    // No foreign keys on these two: a child is recorded before its parent, and a conversation may be deleted.
    table.text('parent_run_id');
    table.text('conversation_id');
    // None for a tool that somebody runs directly.
    table.integer('assistant_id').references('assistants.id');
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
    table.integer('activity_id');
    table.index(['started_at', 'id']);
    table.index(['user_id', 'started_at', 'id']);
    table.index(['organization_id', 'started_at', 'id']);
    // For the owner of an assistant: its callers may be of any organisation, so no other index leads there.
    table.index(['assistant_id', 'started_at', 'id']);
  });
  // Runs that come another way pay nothing for it.
  await db.raw(`CREATE INDEX runs_of_activities
    ON runs (activity_id, started_at, id) WHERE activity_id IS NOT NULL`);
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
    // What a tool tells about what it did, as JSON: names and numbers, never what it found.
    table.text('facts');
    table.primary(['run_id', 'position']);
  });
}

async function createLedger(db: Knex): Promise<void> {
  await db.schema.createTable('usage_ledger', (table) => {
    table.increments('id');
    // What was spent stays on the books when traces are cleaned up, so the run is named without a foreign key.
    table.text('run_id').notNullable();
    table.integer('organization_id').notNullable().references('organizations.id');
    // The books are kept when a person is forgotten, without the person.
    table.integer('user_id').references('users.id');
    table.integer('assistant_id').references('assistants.id');
    table.text('connector');
    table.text('model');
    table.integer('prompt_tokens').notNullable();
    table.integer('completion_tokens').notNullable();
    // Counted from the text's length, because the provider did not say.
    table.boolean('estimated').notNullable();
    table.text('created_at').notNullable();
    table.integer('activity_id');
    table.index(['organization_id', 'created_at']);
    table.index(['user_id', 'created_at']);
    table.index(['assistant_id', 'created_at']);
  });
  await db.raw(`CREATE INDEX usage_ledger_of_activities
    ON usage_ledger (activity_id, created_at) WHERE activity_id IS NOT NULL`);
}

/** Read from its newest entry on: all of it, an organisation's, or what one person did. */
async function createAudit(db: Knex): Promise<void> {
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
    table.index(['created_at', 'id']);
    table.index(['organization_id', 'created_at', 'id']);
    table.index(['user_id', 'created_at', 'id']);
  });
}

/** Calls that wait for a person. Rows go as soon as the wait is over. */
async function createApprovals(db: Knex): Promise<void> {
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
