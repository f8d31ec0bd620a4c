import type { Knex } from 'knex';

/** Works that students hand in, what is proposed for them, and the grade on its way to the platform. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('lti_submissions', (table) => {
    table.text('id').primary();
    table.integer('activity_id').notNullable().references('lti_activities.id').onDelete('CASCADE');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('status').notNullable();
    // Goes up with everything that an instructor would want to have seen before deciding.
    table.integer('version').notNullable();
    // 1 until it has come to its end, then nothing: of one person and activity there is never more than one.
    table.integer('is_open');
    table.text('text').notNullable();
    // Sealed: what the platform calls whoever handed it in.
    table.text('who');
    // JSON, all three.
    table.text('rubric').notNullable();
    table.text('proposal');
    table.text('grade');
    // What whoever handed it in is told when there is no grade for it.
    table.text('rejection');
    // Whoever approved or rejected it.
    table.integer('decided_by').references('users.id').onDelete('SET NULL').index();
    table.text('decided_at');
    createWork(table);
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.unique(['activity_id', 'user_id', 'is_open']);
    table.index(['activity_id', 'created_at', 'id']);
    table.index(['activity_id', 'user_id', 'created_at', 'id']);
    table.index(['activity_id', 'updated_at']);
    table.index(['work', 'next_attempt_at']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('lti_submissions');
}

/** What is to be done for it, when, and who is at it. */
function createWork(table: Knex.CreateTableBuilder): void {
  // `evaluate`, `post`, or nothing.
  table.text('work');
  table.text('next_attempt_at');
  table.text('claim');
  table.text('lease_until');
  table.integer('evaluation_attempts').notNullable().defaultTo(0);
  table.text('evaluation_error');
  table.text('posting').notNullable();
  table.integer('posting_attempts').notNullable().defaultTo(0);
  table.text('posting_error');
  // Settled before the platform is told for the first time: by it the platform tells a repeated score from another.
  table.text('score_timestamp');
  table.text('posted_at');
}
