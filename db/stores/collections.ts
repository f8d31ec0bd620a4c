import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Collection, CollectionSize } from '../../src/core/knowledge/collection.js';
import type { CollectionStore } from '../../src/core/knowledge/stores.js';
import { cellsOf, flag, optionalText, plain, text } from '../query/columns.js';
import { rawRows } from '../query/raw-rows.js';
import { storable } from '../query/values.js';
import { createOwnedStore, NEWEST_FIRST } from './owned.js';

const CONTENT = {
  name: text('name'),
  description: text('description'),
  isShared: flag('is_shared'),
  ocr: flag('ocr'),
};
const FIXED = { place: plain<Collection['place']>()('place'), externalId: optionalText('external_id') };

export function createCollectionStore(db: Knex): CollectionStore {
  const owned = createOwnedStore(db, {
    table: 'collections',
    content: CONTENT,
    fixed: FIXED,
    shared: 'is_shared',
    search: ['name', 'description'],
    order: NEWEST_FIRST,
    taken: 'This collection of the knowledge base server is registered already.',
  });
  return {
    ...owned,

    create(owner, content, externalId) {
      const place = externalId === undefined ? 'here' : 'server';
      return owned.create(
        owner,
        { ocr: false, ...content },
        { id: randomUUID(), ...cellsOf(FIXED, { place, externalId }) },
      );
    },

    onServer: (organizationId, externalId) =>
      owned.first({ organization_id: organizationId, external_id: storable(externalId) }),

    sizes: (ids) => sizesOf(db, ids),

    delete: (id) => db.transaction((trx) => deleteCollection(trx, id)),
  };
}

/** The collection first: from then on nobody can add to it, and whoever is about to is waited for. */
async function deleteCollection(trx: Knex.Transaction, id: string) {
  const [gone] = await rawRows<{ readonly seq: number }>(
    trx,
    'DELETE FROM collections WHERE id = ? RETURNING seq',
    [storable(id)],
  );
  if (!gone) return undefined;
  const documents = await rawRows<{ readonly id: string }>(
    trx,
    'DELETE FROM documents WHERE collection_seq = ? RETURNING id',
    [gone.seq],
  );
  for (const table of OF_A_COLLECTION) await trx(table).where('collection_seq', gone.seq).del();
  const sources = trx('sources').select('seq').where('collection_seq', gone.seq);
  await trx('source_runs').whereIn('source_seq', sources).del();
  await trx('sources').where('collection_seq', gone.seq).del();
  // What they consist of is swept up later, a little at a time.
  await trx('editions').where('collection_seq', gone.seq).update({ live: false });
  return { documentIds: documents.map((document) => document.id) };
}

/** What people have said about a collection and its documents. */
const OF_A_COLLECTION = [
  'passage_decisions',
  'document_tags',
  'test_questions',
  'test_question_runs',
  'vain_questions',
];

async function sizesOf(db: Knex, ids: readonly string[]): Promise<ReadonlyMap<string, CollectionSize>> {
  const documents = () =>
    db('collections')
      .join('documents', 'documents.collection_seq', 'collections.seq')
      .whereIn('collections.id', ids.map(storable))
      .whereNotNull('documents.edition')
      .groupBy('collections.id')
      .select('collections.id as id')
      .count({ documents: '*' });
  const [rows, waiting] = (await Promise.all([
    documents().sum({ passages: 'documents.passages' }),
    // By itself: what waits has an index of its own, and the sums are read from theirs alone.
    documents().where('documents.work', 'embed'),
  ])) as [SizeRow[], SizeRow[]];
  const awaiting = new Map(waiting.map((row) => [row.id, row.documents]));
  const nothing = ids.map((id) => [id, { documents: 0, passages: 0, awaitingVectors: 0 }] as const);
  const found = rows.map(
    ({ id, ...size }) => [id, { ...size, awaitingVectors: awaiting.get(id) ?? 0 }] as const,
  );
  return new Map([...nothing, ...found]);
}

type SizeRow = Omit<CollectionSize, 'awaitingVectors'> & { readonly id: string };
