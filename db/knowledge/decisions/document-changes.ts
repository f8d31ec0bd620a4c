import type { Knex } from 'knex';
import { conflict } from '../../../src/core/errors.js';
import type { KnowledgeDocument } from '../../../src/core/knowledge/document.js';
import type { DocumentStore } from '../../../src/core/knowledge/stores.js';
import { now, storable, storableOrNull } from '../../query/values.js';
import { type DocumentRow, documentsIn, toDocument } from '../document-rows.js';

type Changes = Pick<DocumentStore, 'change' | 'changeTags' | 'tags'>;

/** What people decide about whole documents: whether they are found, and what they are about. */
export function createDocumentChanges(db: Knex): Changes {
  return {
    change: (collectionId, id, change) =>
      db.transaction(async (trx) => {
        const [row] = (await documentsIn(trx, collectionId)
          .where('id', storable(id))
          .update(
            {
              ...(change.offUntil === undefined ? {} : { off_until: storableOrNull(change.offUntil) }),
              updated_at: now(),
            },
            '*',
          )) as DocumentRow[];
        if (!row) return undefined;
        if (change.offUntil !== undefined)
          await trx('editions').where('document_seq', row.seq).update({ off_until: row.off_until });
        if (change.tags) {
          await trx('document_tags').where('document_seq', row.seq).del();
          await addTags(trx, [row.seq], change.tags);
        }
        return withTags(trx, row, collectionId);
      }),

    changeTags: (collectionId, ids, { add, remove, most }) =>
      db.transaction(async (trx) => {
        // Locked, and known to be there.
        const rows: Pick<DocumentRow, 'seq' | 'filename'>[] = await documentsIn(trx, collectionId)
          .whereIn('id', ids.map(storable))
          .update({ updated_at: now() }, ['seq', 'filename']);
        const seqs = rows.map(({ seq }) => seq);
        await trx('document_tags').whereIn('document_seq', seqs).whereIn('tag', remove.map(storable)).del();
        await addTags(trx, seqs, add);
        const tags = await tagsOf(trx, rows);
        const full = rows.find(({ seq }) => (tags.get(seq)?.length ?? 0) > most);
        if (full) throw conflict(`“${full.filename}” would have more than ${String(most)} tags.`);
        return rows.length;
      }),

    async tags(collectionId) {
      const rows: { readonly tag: string; readonly documents: number | string }[] = await db('document_tags')
        .where('collection_seq', db('collections').select('seq').where('id', storable(collectionId)))
        .groupBy('tag')
        .orderBy('tag')
        .select('tag')
        .count({ documents: '*' });
      return rows.map(({ tag, documents }) => ({ tag, documents: Number(documents) }));
    },
  };
}

async function addTags(trx: Knex, seqs: readonly number[], tags: readonly string[]): Promise<void> {
  for (const tag of new Set(tags.map(storable)))
    await trx.raw(
      `INSERT INTO document_tags (document_seq, tag, collection_seq)
       SELECT seq, ?, collection_seq FROM documents WHERE seq IN (${seqs.map(() => '?').join(', ')})
       ON CONFLICT (document_seq, tag) DO NOTHING`,
      [tag, ...seqs],
    );
}

export async function tagsOf(
  db: Knex,
  documents: readonly Pick<DocumentRow, 'seq'>[],
): Promise<ReadonlyMap<number, readonly string[]>> {
  const tags = new Map<number, string[]>(documents.map(({ seq }) => [seq, []]));
  if (tags.size === 0) return tags;
  const rows: { readonly document_seq: number; readonly tag: string }[] = await db('document_tags')
    .whereIn('document_seq', [...tags.keys()])
    .select('document_seq', 'tag');
  for (const { document_seq, tag } of rows) tags.get(document_seq)?.push(tag);
  return new Map([...tags].map(([seq, own]) => [seq, own.sort()]));
}

export async function withTags(db: Knex, row: DocumentRow, collectionId: string): Promise<KnowledgeDocument> {
  return toDocument(row, collectionId, (await tagsOf(db, [row])).get(row.seq));
}
