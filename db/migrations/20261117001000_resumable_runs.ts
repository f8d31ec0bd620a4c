import type { Knex } from 'knex';

/** Runs that go on without their reader, and what they have told so far: whoever asked reads it again from anywhere. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('resumable_runs', (table) => {
    table.text('id').primary();
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.integer('activity_id');
    table.text('conversation_id').references('conversations.id').onDelete('CASCADE').index();
    // What stands before and after the words in a frame of text.
    table.text('text_head').notNullable();
    table.text('text_tail').notNullable();
    table.text('started_at').notNullable();
    table.text('cancelled_at');
    table.text('ended_at').index();
  });
  await db.schema.createTable('run_frames', (table) => {
    table.text('run_id').notNullable().references('resumable_runs.id').onDelete('CASCADE');
    // The number of the last frame in it.
    table.integer('last_id').notNullable();
    // JSON: a list of texts.
    table.text('frames').notNullable();
    table.primary(['run_id', 'last_id']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('run_frames');
  await db.schema.dropTable('resumable_runs');
}
