import type { Knex } from 'knex';

/** Collections of documents, cut into passages that can be found by their words and by their meaning. */
export async function createKnowledge(db: Knex, onPostgres: boolean): Promise<void> {
  await createCollections(db);
  await createDocuments(db);
  await createPassages(db, onPostgres);
  await createVectors(db, onPostgres);
  await (onPostgres ? indexInPostgres(db) : indexInSqlite(db));
}

async function createCollections(db: Knex): Promise<void> {
  await db.schema.createTable('collections', (table) => {
    table.increments('seq');
    // Text, as knowledge base servers have it, so that what names one keeps naming it.
    table.text('id').notNullable().unique();
    table.integer('organization_id').notNullable().references('organizations.id');
    table.integer('owner_id').notNullable().references('users.id');
    table.text('name').notNullable();
    table.text('description').notNullable().defaultTo('');
    table.boolean('is_shared').notNullable().defaultTo(false);
    // `here`, or `server` for one on the organisation's knowledge base server.
    table.text('place').notNullable();
    table.text('metadata').notNullable().defaultTo('{}');
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    // Its number on that server. Each organisation has a server of its own, so two may have one of the same number.
    table.text('external_id');
    table.unique(['organization_id', 'external_id']);
    table.index(['created_at', 'id']);
    table.index(['owner_id', 'created_at', 'id']);
    table.index(['organization_id', 'created_at', 'id']);
    table.index(['organization_id', 'is_shared', 'created_at', 'id']);
  });
}

async function createDocuments(db: Knex): Promise<void> {
  await db.schema.createTable('documents', (table) => {
    table.increments('seq');
    table.text('id').notNullable().unique();
    // Looked at when a transaction ends: a collection goes first, and nobody adds to it while its documents follow.
    const key = 'integer NOT NULL REFERENCES collections (seq) DEFERRABLE INITIALLY DEFERRED';
    table.specificType('collection_seq', key);
    // The owner of the collection, so that the work of one waits behind the work of none.
    table.integer('owner_id').notNullable();
    table.text('filename').notNullable();
    table.text('source_url');
    table.bigInteger('bytes').notNullable();
    table.text('sha256');
    table.text('status').notNullable();
    table.text('stage').notNullable();
    table.integer('progress').notNullable().defaultTo(0);
    table.text('error');
    table.text('faults').notNullable().defaultTo('[]');
    table.text('format');
    table.integer('pages');
    table.integer('passages').notNullable().defaultTo(0);
    table.text('language');
    table.text('embedded_with');
    // The edition that is found; none until the first is whole.
    table.integer('edition');
    // What is still to be done to it: `ingest`, `embed` or nothing. Whoever is at it has a claim and a lease; what waits
    // has neither.
    table.text('work');
    table.text('queued_at').notNullable();
    table.text('claim').unique();
    table.text('claimed_at');
    table.text('lease_until');
    table.integer('attempts').notNullable().defaultTo(0);
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.index(['collection_seq', 'created_at', 'id']);
    table.unique(['collection_seq', 'sha256']);
    table.index(['owner_id', 'claimed_at']);
  });
  // What waits is little beside what is there, and what can be found is asked for by its sums and languages alone.
  await db.raw(
    'CREATE INDEX documents_work ON documents (owner_id, queued_at, seq, lease_until, work) WHERE work IS NOT NULL',
  );
  await db.raw(
    'CREATE INDEX documents_found ON documents (collection_seq, language, passages) WHERE edition IS NOT NULL',
  );
  // No key to the document: what is left of one that was deleted is swept up afterwards, a little at a time.
  await db.schema.createTable('editions', (table) => {
    table.increments('id');
    table.integer('collection_seq').notNullable();
    table.integer('document_seq').notNullable();
    table.boolean('live').notNullable().defaultTo(false);
    // The claim it is being written under; nothing once it is whole.
    table.text('claim');
    // How many there are so far: the next is numbered by it.
    table.integer('sections').notNullable().defaultTo(0);
    table.integer('passages').notNullable().defaultTo(0);
    table.index(['document_seq']);
    table.index(['collection_seq']);
  });
  await db.raw('CREATE INDEX editions_unseen ON editions (id) WHERE NOT live');
}

async function createPassages(db: Knex, onPostgres: boolean): Promise<void> {
  await db.schema.createTable('sections', (table) => {
    table.increments('id');
    table.integer('edition').notNullable();
    table.integer('position').notNullable();
    table.text('title').notNullable();
    table.integer('page');
    table.integer('start_at').notNullable();
    table.integer('end_at').notNullable();
    table.text('text').notNullable();
    table.index(['edition', 'position']);
  });
  await db.schema.createTable('passages', (table) => {
    table.increments('id');
    table.integer('edition').notNullable();
    table.integer('collection_seq').notNullable();
    table.integer('section_id').notNullable();
    table.integer('position').notNullable();
    table.integer('page');
    table.integer('page_end');
    table.integer('start_at').notNullable();
    table.integer('end_at').notNullable();
    // Before the text, which is long: who ranks reads no further.
    table.text('terms').notNullable();
    table.text('text').notNullable();
    table.index(['edition', 'position']);
  });
  // In how many passages of a collection a term occurs. The empty term stands for all passages, and `total` for the
  // length of all of them together.
  // Kept in the order of its key alone, as PostgreSQL cannot: every passage changes some hundred of its rows.
  await db.raw(`
    CREATE TABLE term_counts (
      collection_seq integer NOT NULL,
      term text NOT NULL,
      passages integer NOT NULL,
      total bigint NOT NULL,
      PRIMARY KEY (collection_seq, term)
    ) ${onPostgres ? '' : 'WITHOUT ROWID'}`);
}

async function createVectors(db: Knex, onPostgres: boolean): Promise<void> {
  const type = onPostgres && (await hasPgvector(db)) ? 'vector' : undefined;
  await db.schema.createTable('passage_vectors', (table) => {
    table.integer('passage_id').notNullable();
    table.integer('edition').notNullable();
    table.text('model').notNullable();
    // Single floats, lowest byte first, of length one; or pgvector's own type where the server has that.
    if (type === undefined) table.binary('vector').notNullable();
    else table.specificType('vector', type).notNullable();
    table.primary(['passage_id', 'model']);
    table.index(['edition', 'model']);
  });
  // What is looked through first: the outlines of many vectors in one row, which is never changed.
  await db.schema.createTable('vector_pages', (table) => {
    table.increments('id');
    table.integer('edition').notNullable();
    table.text('model').notNullable();
    table.binary('packed').notNullable();
    table.index(['edition', 'model']);
  });
}

/** Makes the extension where the server offers it and this account may; a refusal costs nothing but speed. */
async function hasPgvector(db: Knex): Promise<boolean> {
  const offered = await db('pg_available_extensions').where('name', 'vector').first<object | undefined>();
  if (!offered) return false;
  try {
    await db.transaction((savepoint) => savepoint.raw('CREATE EXTENSION IF NOT EXISTS vector'));
    return true;
  } catch {
    return false;
  }
}

/**
 * Terms come folded and stemmed, so the tokenizer has nothing left to do but to split at blanks. Each is written with the
 * number of its collection before it, such as `12_cell`: whatever other collections hold, a search does not go through it.
 */
async function indexInSqlite(db: Knex): Promise<void> {
  await db.raw(`
    CREATE VIRTUAL TABLE passage_index USING fts5(
      terms, content = '', contentless_delete = 1, tokenize = "ascii tokenchars '_'"
    )`);
}

async function indexInPostgres(db: Knex): Promise<void> {
  await db.raw('ALTER TABLE passages ADD COLUMN lexemes tsvector');
  // Kept with its row, where ranking need not fetch it from elsewhere.
  await db.raw('ALTER TABLE passages ALTER COLUMN lexemes SET STORAGE MAIN');
  await db.raw('CREATE INDEX passages_lexemes ON passages USING gin (lexemes)');
}
