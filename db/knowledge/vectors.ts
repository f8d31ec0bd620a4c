import type { Knex } from 'knex';
import type { PassageIndex, VectorStore } from '../../src/core/knowledge.js';

export function createVectorStore(_db: Knex): VectorStore {
  return {
    missing: () => Promise.resolve([]),
    write: () => Promise.resolve(),
    liveEdition: () => Promise.resolve(undefined),
    complete: () => Promise.resolve(false),
    queueOutdated: () => Promise.resolve(0),
  };
}

export function createNearest(_reader: Knex): Pick<PassageIndex, 'nearest'> {
  return { nearest: () => Promise.resolve([]) };
}

/** With the passages themselves, in their transaction. */
export async function deleteVectors(trx: Knex, passageIds: readonly number[]): Promise<void> {
  await trx('passage_vectors')
    .whereIn('passage_id', [...passageIds])
    .del();
}
