import type { Knex } from 'knex';

/** When those who learn get no answers in an activity, as JSON: read with the activity, and never searched. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('lti_activities', (table) => {
    table.text('exam_windows').notNullable().defaultTo('[]');
  });
}

export async function down(db: Knex): Promise<void> {
  await db.raw('ALTER TABLE lti_activities DROP COLUMN exam_windows');
}
