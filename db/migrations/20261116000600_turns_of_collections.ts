import type { Knex } from 'knex';

/** Work goes round among the collections of an owner as well, and documents are counted by what became of them. */
export async function up(db: Knex): Promise<void> {
  await db.raw('DROP INDEX documents_work');
  await db.raw(
    'CREATE INDEX documents_waiting ON documents (collection_seq, queued_at, seq, lease_until) WHERE work IS NOT NULL',
  );
  await db.raw('CREATE INDEX documents_claimed ON documents (collection_seq, claimed_at)');
  await db.raw('CREATE INDEX documents_by_status ON documents (collection_seq, status)');
}

export async function down(db: Knex): Promise<void> {
  for (const index of ['documents_waiting', 'documents_claimed', 'documents_by_status'])
    await db.raw(`DROP INDEX ${index}`);
  await db.raw(
    'CREATE INDEX documents_work ON documents (owner_id, queued_at, seq, lease_until, work) WHERE work IS NOT NULL',
  );
}
