import type { Knex } from 'knex';

/** Whose data of which activity is being erased: what was begun is finished, also by another process after a crash. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('lti_erasures', (table) => {
    table.increments('id');
    table.integer('activity_id').notNullable().references('lti_activities.id').onDelete('CASCADE');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('asked_at').notNullable();
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('lti_erasures');
}
