import type { Knex } from 'knex';

/** Where documents of a collection come from and are kept in step with, and what became of each time that was done. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('sources', (table) => {
    table.increments('seq');
    table.text('id').notNullable().unique();
    // As with documents: looked at when a transaction ends.
    const key = 'integer NOT NULL REFERENCES collections (seq) DEFERRABLE INITIALLY DEFERRED';
    table.specificType('collection_seq', key);
    table.text('kind').notNullable();
    table.text('name').notNullable();
    table.text('settings').notNullable();
    // Sealed; never shown.
    table.text('token');
    table.text('schedule').notNullable();
    // When it is to be run next; nothing when nobody has asked for that. Whoever runs it has a claim and a lease.
    table.text('next_run_at');
    table.text('claim').unique();
    table.text('lease_until');
    table.integer('attempts').notNullable().defaultTo(0);
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.index(['collection_seq', 'created_at', 'id']);
  });
  await db.raw('CREATE INDEX sources_due ON sources (next_run_at, seq) WHERE next_run_at IS NOT NULL');
  await db.schema.createTable('source_runs', (table) => {
    table.text('id').primary();
    table.integer('source_seq').notNullable();
    table.text('status').notNullable();
    table.text('error');
    // How many are to be looked at, and how many have been.
    table.integer('total').notNullable().defaultTo(0);
    table.integer('done').notNullable().defaultTo(0);
    table.text('outcome').notNullable();
    table.text('started_at').notNullable();
    table.text('ended_at');
    table.index(['source_seq', 'started_at', 'id']);
  });
  for (const column of ['source_id', 'source_key', 'source_version'])
    await db.raw(`ALTER TABLE documents ADD COLUMN ${column} text`);
  // What a source brings is one document, however often and by whomever it is brought.
  await db.raw(
    'CREATE UNIQUE INDEX documents_source ON documents (source_id, source_key) WHERE source_id IS NOT NULL',
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw('DROP INDEX documents_source');
  for (const column of ['source_version', 'source_key', 'source_id'])
    await db.raw(`ALTER TABLE documents DROP COLUMN ${column}`);
  await db.schema.dropTable('source_runs');
  await db.schema.dropTable('sources');
}
