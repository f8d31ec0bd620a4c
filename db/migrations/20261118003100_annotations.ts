import type { Knex } from 'knex';

/**
 * Answers as a teacher wants them. How many of an assistant's are in use stands with the assistant, which every chat has
 * at hand: where there are none, nobody looks for them.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('assistant_annotations', (table) => {
    table.increments('id');
    table.integer('assistant_id').notNullable().references('assistants.id').onDelete('CASCADE');
    table.text('question').notNullable();
    table.text('answer').notNullable();
    table.text('status').notNullable();
    // No foreign key: the run may be forgotten, and what the teacher has written stays.
    table.text('run_id');
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.index(['assistant_id', 'id']);
  });
  await db.schema.alterTable('assistants', (table) => {
    table.integer('examples').notNullable().defaultTo(0);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('assistant_annotations');
  await db.raw('ALTER TABLE assistants DROP COLUMN examples');
}
