import type { Knex } from 'knex';

/** What teachers decide about documents and passages, the questions a collection is tested by, and those asked in vain. */
export async function up(db: Knex): Promise<void> {
  // Until then nothing of it is found; the edition has the same, so that a search looks no further than there.
  for (const table of ['documents', 'editions'])
    await db.schema.alterTable(table, (columns) => {
      columns.text('off_until');
    });
  await db.schema.alterTable('passages', (table) => {
    table.boolean('off').notNullable().defaultTo(false);
    // As it was read, where `text` is somebody's correction of it.
    table.text('original');
  });
  // Its text without passages that are off, and with those that were corrected; none where nothing was decided.
  await db.schema.alterTable('sections', (table) => {
    table.text('edited');
  });
  await createDecisions(db);
  await createTags(db);
  await createTestQuestions(db);
  await createVainQuestions(db);
}

async function createDecisions(db: Knex): Promise<void> {
  await db.schema.createTable('passage_decisions', (table) => {
    table.increments('id');
    table.integer('collection_seq').notNullable();
    table.integer('document_seq').notNullable();
    // Of the text as it was read, by which the passage is known again in the next edition.
    table.text('original_hash').notNullable();
    table.text('original').notNullable();
    table.integer('page');
    table.boolean('off').notNullable().defaultTo(false);
    table.boolean('pinned').notNullable().defaultTo(false);
    table.text('corrected');
    // The words the correction is found by.
    table.text('corrected_terms');
    table.boolean('applies').notNullable().defaultTo(true);
    table.text('updated_at').notNullable();
    table.unique(['document_seq', 'original_hash']);
    table.index(['collection_seq']);
  });
  // Apart from the passages: a search asks it of every candidate, and their rows are long.
  await db.schema.createTable('pinned_passages', (table) => {
    table.integer('passage_id').notNullable().primary();
    table.integer('edition').notNullable().index();
  });
}

async function createTags(db: Knex): Promise<void> {
  await db.schema.createTable('document_tags', (table) => {
    table.integer('document_seq').notNullable();
    table.text('tag').notNullable();
    table.integer('collection_seq').notNullable();
    table.primary(['document_seq', 'tag']);
    table.index(['collection_seq', 'tag']);
  });
}

async function createTestQuestions(db: Knex): Promise<void> {
  await db.schema.createTable('test_questions', (table) => {
    table.increments('seq');
    table.text('id').notNullable().unique();
    table.integer('collection_seq').notNullable();
    table.text('question').notNullable();
    // JSON: the documents, pages and passages of which one should be found.
    table.text('targets').notNullable();
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.index(['collection_seq', 'created_at', 'id']);
  });
  await db.schema.createTable('test_question_runs', (table) => {
    table.increments('id');
    table.integer('collection_seq').notNullable();
    table.text('at').notNullable();
    table.text('reason').notNullable();
    table.integer('top_k').notNullable();
    table.text('embeddings');
    table.integer('asked').notNullable();
    table.integer('found').notNullable();
    table.float('mrr').notNullable();
    // JSON: the rank of each question, by its id.
    table.text('ranks').notNullable();
    table.index(['collection_seq', 'id']);
  });
}

async function createVainQuestions(db: Knex): Promise<void> {
  await db.schema.createTable('vain_questions', (table) => {
    table.increments('id');
    table.integer('collection_seq').notNullable();
    table.text('normalised').notNullable();
    table.text('question').notNullable();
    table.integer('count').notNullable();
    table.text('last_asked_at').notNullable();
    table.text('expires_at').notNullable().index();
    table.unique(['collection_seq', 'normalised']);
    table.index(['collection_seq', 'last_asked_at', 'id']);
  });
}

export async function down(db: Knex): Promise<void> {
  await restoreTexts(db);
  for (const table of [
    ...['vain_questions', 'test_question_runs', 'test_questions', 'document_tags'],
    ...['pinned_passages', 'passage_decisions'],
  ])
    await db.schema.dropTable(table);
  await db.raw('ALTER TABLE sections DROP COLUMN edited');
  await db.raw('ALTER TABLE passages DROP COLUMN original');
  await db.raw('ALTER TABLE passages DROP COLUMN off');
  await db.raw('ALTER TABLE editions DROP COLUMN off_until');
  await db.raw('ALTER TABLE documents DROP COLUMN off_until');
}

/** Documents with decisions on them are read anew: their words in the index are not those of their texts. */
async function restoreTexts(db: Knex): Promise<void> {
  const decided = db('passage_decisions').select('document_seq');
  await db('passages')
    .whereNotNull('original')
    .update({ text: db.ref('original') });
  await db('documents').whereIn('seq', decided).update({
    work: 'ingest',
    status: 'queued',
    stage: 'waiting',
    claim: null,
    lease_until: null,
    attempts: 0,
  });
}
