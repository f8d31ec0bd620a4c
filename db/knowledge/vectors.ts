import type { Knex } from 'knex';
import type { VectorStore, Work } from '../../src/core/knowledge.js';
import { now } from '../now.js';
import { createVectorWriter } from './vectors-writing.js';

export { createBaseline } from './vectors-baseline.js';
export { createNearest } from './vectors-nearest.js';

/** Vectors deleted in one transaction, so that nobody else waits long for theirs. */
const DELETED_AT_ONCE = 500;

export function createVectorStore(db: Knex): VectorStore {
  return {
    missing: (edition, model, limit) => withoutVector(db, { edition, model }, limit),
    write: createVectorWriter(db),

    async liveEdition(work) {
      const document = await claimed(db, work).first<{ readonly edition: number | null } | undefined>(
        'edition',
      );
      return document?.edition ?? undefined;
    },

    async complete(work, model) {
      const document = await claimed(db, work).first<{ readonly edition: number | null } | undefined>(
        'edition',
      );
      if (!document) return false;
      // First, while the work is still ours: whoever takes over after a crash begins with this again.
      if (document.edition !== null) await deleteVectors(db, document.edition, { except: model });
      const changed = await claimed(db, work).update({
        ...{ status: 'ready', stage: 'done', progress: 100, error: null },
        ...{ work: null, claim: null, lease_until: null, attempts: 0 },
        embedded_with: model ?? null,
        updated_at: now(),
      });
      return changed === 1;
    },

    queueOutdated: (organizationId, model) => queueOutdated(db, organizationId, model),
  };
}

const claimed = (db: Knex, { document, claim }: Work): Knex.QueryBuilder =>
  db('documents').where({ id: document.id, claim });

async function withoutVector(
  db: Knex,
  of: { readonly edition: number; readonly model: string },
  limit: number,
): Promise<readonly { readonly passageId: number; readonly text: string }[]> {
  const there = db('passage_vectors')
    .where({ model: of.model })
    .whereRaw('passage_id = passages.id')
    .select(db.raw('1'));
  const rows = await db('passages')
    .where({ edition: of.edition })
    .whereNotExists(there)
    .orderBy('position')
    .limit(limit)
    .select<{ readonly id: number; readonly text: string }[]>('id', 'text');
  return rows.map(({ id, text }) => ({ passageId: id, text }));
}

/** Every vector of an edition, or all but those of one model; a little at a time. */
export async function deleteVectors(
  db: Knex,
  edition: number,
  { except }: { readonly except?: string | undefined } = {},
): Promise<void> {
  const of = (table: string) => {
    const rows = db(table).where({ edition });
    return except === undefined ? rows : rows.whereNot('model', except);
  };
  // First what leads to the vectors, then the vectors.
  await of('vector_pages').delete();
  let deleted: number;
  do {
    const some = of('passage_vectors').select('passage_id').limit(DELETED_AT_ONCE);
    deleted = await of('passage_vectors').whereIn('passage_id', some).delete();
  } while (deleted > 0);
}

async function queueOutdated(db: Knex, organizationId: number, model: string): Promise<number> {
  const collections = db('collections')
    .where({ organization_id: organizationId, place: 'here' })
    .select('seq');
  return db('documents')
    .whereIn('collection_seq', collections)
    .where({ status: 'ready' })
    .whereNull('work')
    .whereNotNull('edition')
    .whereRaw("coalesce(embedded_with, '') <> ?", [model])
    .update({ work: 'embed', queued_at: now(), attempts: 0, claim: null, lease_until: null });
}
