import type { Knex } from 'knex';
import type { Work } from '../../../src/core/knowledge/document.js';
import type { EmbeddingProgress, PassageIndex, VectorStore } from '../../../src/core/knowledge/stores.js';
import { storable } from '../../query/values.js';
import { mine } from '../document-queue.js';
import { nothingToDo, READ, waitingFor } from '../document-rows.js';
import { createVectorCache } from './cache.js';
import { keepHalfvecIndexes } from './halfvec-indexes.js';
import { createBaseline, createNearestSearch } from './nearest.js';
import { createVectorWriter } from './write.js';

/** What outlines may take in memory: enough for some 800 000 passages of 384 numbers. */
const CACHE_BYTES = 64_000_000;

/** Vectors deleted in one transaction, so that nobody else waits long for theirs. */
const DELETED_AT_ONCE = 500;

export function createNearest(reader: Knex): Pick<PassageIndex, 'nearest' | 'baseline'> {
  const cache = createVectorCache(reader, { mostBytes: CACHE_BYTES });
  return { nearest: createNearestSearch(reader, cache), baseline: createBaseline(reader, cache) };
}

export function createVectorStore(db: Knex): VectorStore {
  return {
    missing: (edition, model, limit) => withoutVector(db, { edition, model }, limit),
    write: createVectorWriter(db),

    async liveEdition(work) {
      return (await editionOf(db, work))?.edition ?? undefined;
    },

    async complete(work, model) {
      const document = await editionOf(db, work);
      if (!document) return false;
      // First, while the work is still ours: whoever takes over after a crash begins with this again.
      if (document.edition !== null) await deleteOthers(db, document.edition, model);
      const changed = await mine(db, work).update({
        ...READ,
        ...nothingToDo(),
        error: null,
        error_code: null,
        embedded_with: model === undefined ? null : storable(model),
      });
      return changed > 0;
    },

    keepIndexes: (signal, worthAnIndex) => keepHalfvecIndexes(db, signal, worthAnIndex),

    queueOutdated: (organizationId, model) => queueOutdated(db, organizationId, model),
    progress: (organizationId, model) => progressOf(db, organizationId, model),
  };
}

const editionOf = (db: Knex, work: Work) =>
  mine(db, work).first<{ readonly edition: number | null } | undefined>('edition');

async function withoutVector(
  db: Knex,
  of: { readonly edition: number; readonly model: string },
  limit: number,
): ReturnType<VectorStore['missing']> {
  const there = db('passage_vectors')
    .where({ model: of.model })
    .whereRaw('passage_id = passages.id')
    .select(db.raw('1'));
  return await db('passages')
    .join('sections', 'sections.id', 'passages.section_id')
    .where({ 'passages.edition': of.edition, off: false })
    .whereNotExists(there)
    .orderBy('passages.position')
    .limit(limit)
    .select<Awaited<ReturnType<VectorStore['missing']>>>(
      ...['passages.id as passageId', 'passages.text', 'sections.title'],
    );
}

/** All but those of one model, a little at a time. */
async function deleteOthers(db: Knex, edition: number, model: string | undefined): Promise<void> {
  const others = (table: string) => {
    const rows = db(table).where({ edition });
    return model === undefined ? rows : rows.whereNot('model', storable(model));
  };
  // First what leads to the vectors, then the vectors.
  await others('vector_pages').delete();
  let deleted: number;
  do {
    const some = others('passage_vectors').select('passage_id').limit(DELETED_AT_ONCE);
    deleted = await others('passage_vectors').whereIn('passage_id', some).delete();
  } while (deleted > 0);
}

/** With the passages themselves, in their transaction. The edition they belong to is one that nobody sees. */
export async function deleteVectors(trx: Knex, passageIds: readonly number[]): Promise<void> {
  const editions = trx('passages').whereIn('id', passageIds).select('edition');
  await trx('vector_pages').whereIn('edition', editions).delete();
  await trx('passage_vectors').whereIn('passage_id', passageIds).delete();
}

async function progressOf(db: Knex, organizationId: number, model: string | undefined) {
  const [row] = await db('documents')
    .whereIn('collection_seq', collectionsOf(db, organizationId))
    .whereNotNull('edition')
    .select<Record<keyof EmbeddingProgress, number | string | null>[]>(
      db.raw('count(*) AS documents'),
      db.raw('sum(CASE WHEN embedded_with = ? THEN 1 ELSE 0 END) AS embedded', [storable(model ?? '')]),
      db.raw("sum(CASE WHEN work = 'embed' THEN 1 ELSE 0 END) AS waiting"),
    );
  // PostgreSQL gives counts and sums as text, and a sum of nothing is null.
  const number = (key: keyof EmbeddingProgress) => Number(row?.[key] ?? 0);
  return { documents: number('documents'), embedded: number('embedded'), waiting: number('waiting') };
}

const collectionsOf = (db: Knex, organizationId: number) =>
  db('collections').where({ organization_id: organizationId, place: 'here' }).select('seq');

async function queueOutdated(db: Knex, organizationId: number, model: string): Promise<number> {
  return db('documents')
    .whereIn('collection_seq', collectionsOf(db, organizationId))
    .where({ status: 'ready' })
    .whereNull('work')
    .whereNotNull('edition')
    .whereRaw("coalesce(embedded_with, '') <> ?", [model])
    .update(waitingFor('embed'));
}
