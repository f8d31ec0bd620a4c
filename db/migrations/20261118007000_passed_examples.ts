import type { Knex } from 'knex';

/**
 * The corrected answers that were in use when a content of an assistant passed: those who may only chat get these, and no
 * newer ones. They go with the annotation they were taken from.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('passed_examples', (table) => {
    table.integer('assistant_id').notNullable().references('assistants.id').onDelete('CASCADE');
    table.text('content_hash').notNullable();
    table
      .integer('annotation_id')
      .notNullable()
      .references('assistant_annotations.id')
      .onDelete('CASCADE')
      .index();
    table.text('question').notNullable();
    table.text('answer').notNullable();
    table.primary(['assistant_id', 'content_hash', 'annotation_id']);
  });
  // What they read until now is what they go on reading.
  await db.raw(`
    INSERT INTO passed_examples (assistant_id, content_hash, annotation_id, question, answer)
    SELECT DISTINCT passes.assistant_id, passes.content_hash, texts.id, texts.question, texts.answer
    FROM suite_passes AS passes
    JOIN assistant_annotations AS texts ON texts.assistant_id = passes.assistant_id
    WHERE texts.status = 'active'`);
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('passed_examples');
}
