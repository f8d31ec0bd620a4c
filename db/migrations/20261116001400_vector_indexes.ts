import type { Knex } from 'knex';

/**
 * PostgreSQL alone: which collections pgvector has an index for, and which editions are in it as a whole.
 *
 * Safe beside the version before: that one served from a single machine, whose processes stop and start together.
 */
export async function up(db: Knex): Promise<void> {
  if (!isPostgres(db)) return;
  await keepVectorsAsBytes(db);
  await db.schema.createTable('halfvec_indexes', (table) => {
    table.increments('id');
    table.integer('collection_seq').notNullable();
    table.text('model').notNullable();
    table.integer('dimensions').notNullable();
    // Not while it is being filled for the first time.
    table.boolean('ready').notNullable().defaultTo(false);
    table.unique(['collection_seq', 'model', 'dimensions']);
  });
  await db.schema.createTable('halfvec_editions', (table) => {
    table.integer('index_id').notNullable().references('halfvec_indexes.id').onDelete('CASCADE');
    table.integer('edition').notNullable().references('editions.id').onDelete('CASCADE');
    table.primary(['edition', 'index_id']);
  });
  await noticeNewVectors(db);
}

/**
 * Where pgvector was there first, vectors are of its type. As bytes they outlive its being dropped, and a dump can be
 * read by a server that never had it.
 */
async function keepVectorsAsBytes(db: Knex): Promise<void> {
  const column = await db('information_schema.columns')
    .where({ table_name: 'passage_vectors', column_name: 'vector' })
    .whereRaw('table_schema = ANY (current_schemas(false))')
    .first<{ readonly udt_name: string } | undefined>('udt_name');
  if (column?.udt_name !== 'vector') return;
  // Sent are four bytes of sizes and then the numbers, each with its highest byte first; kept is the lowest first.
  await db.raw(`ALTER TABLE passage_vectors ALTER COLUMN vector TYPE bytea USING
    decode(regexp_replace(substr(encode(vector_send(vector), 'hex'), 9), '(..)(..)(..)(..)', '\\4\\3\\2\\1', 'g'), 'hex')`);
  // A process of the version before still sends pgvector's text, which ends in a bracket: as the last byte of a number
  // between -1 and 1 that cannot be.
  await db.raw(`ALTER TABLE passage_vectors ADD CONSTRAINT passage_vectors_are_numbers
    CHECK (octet_length(vector) % 4 = 0 AND get_byte(vector, octet_length(vector) - 1) <> ascii(']'))`);
}

/** By whatever process: an edition that gets vectors is looked through without the index until they are in it. */
async function noticeNewVectors(db: Knex): Promise<void> {
  await db.raw(`CREATE FUNCTION notice_new_vectors() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM halfvec_editions WHERE edition IN (SELECT edition FROM new_vectors);
      IF TG_OP = 'UPDATE' AND to_regclass('passage_halfvecs') IS NOT NULL THEN
        DELETE FROM passage_halfvecs WHERE passage_id IN (SELECT passage_id FROM new_vectors);
      END IF;
      RETURN NULL;
    END $$`);
  for (const event of ['insert', 'update'])
    await db.raw(`CREATE TRIGGER passage_vectors_${event}_noticed AFTER ${event} ON passage_vectors
      REFERENCING NEW TABLE AS new_vectors FOR EACH STATEMENT EXECUTE FUNCTION notice_new_vectors()`);
}

export async function down(db: Knex): Promise<void> {
  if (!isPostgres(db)) return;
  for (const event of ['insert', 'update'])
    await db.raw(`DROP TRIGGER passage_vectors_${event}_noticed ON passage_vectors`);
  await db.raw('DROP FUNCTION notice_new_vectors()');
  await db.raw('DROP TABLE IF EXISTS passage_halfvecs');
  await db.schema.dropTable('halfvec_editions');
  await db.schema.dropTable('halfvec_indexes');
  // The type of the column stays: this version reads bytes, and so does the one before where it finds them.
}

const isPostgres = (db: Knex) => (db.client as Knex.Client).config.client === 'pg';
