import type { Knex } from 'knex';
import type { VectorStore } from '../../../src/core/knowledge/stores.js';
import { bytesOf, packPage, type PassageVector } from './pages.js';

/** Rows of one statement: few enough for the parameters a statement may have. */
const ROWS_AT_ONCE = 200;

/** Vectors and their outlines, together or not at all. A passage that is gone by now gets none. */
export function createVectorWriter(db: Knex): VectorStore['write'] {
  return async (model, vectors) => {
    if (vectors.length === 0) return;
    await db.transaction(async (trx) => {
      for (const [edition, members] of await byEdition(trx, vectors)) {
        const rows = members.map(({ passageId, vector }) => ({
          passage_id: passageId,
          edition,
          model,
          vector: bytesOf(vector),
        }));
        for (let start = 0; start < rows.length; start += ROWS_AT_ONCE)
          await trx('passage_vectors')
            .insert(rows.slice(start, start + ROWS_AT_ONCE))
            .onConflict(['passage_id', 'model'])
            .merge(['vector']);
        for (const same of bySize(members))
          await trx('vector_pages').insert({ edition, model, packed: packPage(same) });
      }
    });
  };
}

async function byEdition(
  trx: Knex.Transaction,
  vectors: readonly PassageVector[],
): Promise<ReadonlyMap<number, readonly PassageVector[]>> {
  const passages = () =>
    trx('passages').whereIn(
      'id',
      vectors.map(({ passageId }) => passageId),
    );
  // Locked: whoever sweeps away what belongs to them comes before this or after it.
  await trx('editions')
    .whereIn('id', passages().select('edition'))
    .update({ claim: trx.ref('claim') });
  const rows = await passages().select<{ readonly id: number; readonly edition: number }[]>('id', 'edition');
  const editions = new Map(rows.map(({ id, edition }) => [id, edition]));
  const known = vectors.filter(({ passageId }) => editions.has(passageId));
  return grouped(known, ({ passageId }) => editions.get(passageId) as number);
}

/** A page holds vectors of one length; a model that changed its own under its name makes two. */
const bySize = (vectors: readonly PassageVector[]): Iterable<readonly PassageVector[]> =>
  grouped(vectors, ({ vector }) => vector.length).values();

function grouped<T, K>(all: readonly T[], keyOf: (one: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const group = groups.get(keyOf(one));
    if (group) group.push(one);
    else groups.set(keyOf(one), [one]);
  }
  return groups;
}
