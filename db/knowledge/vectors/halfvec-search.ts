import type { Knex } from 'knex';
import { codeOf } from '../../query/refusals.js';
import { storable } from '../../query/values.js';
import { liveEditions, type Scope } from './cache.js';

/** How wide the graph is searched; at least as wide as what is asked of it. By measurement: docs/decisions/0140. */
const EF_SEARCH = 200;
const MOST_EF_SEARCH = 1_000;

export interface HalfvecQuestion extends Scope {
  readonly vector: Float32Array;
}

/** The indexes that are there for these collections; none on SQLite, without pgvector, or where all are small. */
export async function readyIndexes(
  reader: Knex,
  { collectionIds, model, vector }: HalfvecQuestion,
): Promise<readonly number[]> {
  const collections = reader('collections').whereIn('id', collectionIds.map(storable)).select('seq');
  return reader('halfvec_indexes')
    .whereIn('collection_seq', collections)
    .where({ model: storable(model), dimensions: vector.length, ready: true })
    .pluck<number[]>('id');
}

/**
 * The passages whose vectors, halved, are nearest in each of these indexes, among those that are live. Undefined when there
 * is no index to ask, or pgvector is gone since it was built.
 */
export async function nominateByIndex(
  reader: Knex,
  indexes: readonly number[],
  { question, most }: { readonly question: HalfvecQuestion; readonly most: number },
): Promise<readonly number[] | undefined> {
  if (indexes.length === 0) return undefined;
  const type = `halfvec(${String(question.vector.length)})`;
  const width = String(Math.min(Math.max(EF_SEARCH, most), MOST_EF_SEARCH));
  const live = liveEditions(reader, question);
  const nearest = (index: number) =>
    reader('passage_halfvecs')
      // Written out: by a number that it does not know, the planner takes no index for that number alone.
      .whereRaw(`index_id = ${String(index)}`)
      // Found once, before; as a join they would be another way to begin with.
      .whereRaw('edition = ANY (ARRAY(?))', [live.clone()])
      .orderByRaw(`(vector::${type}) <=> ?::${type}`, [pgvectorText(question.vector)])
      .limit(most)
      .select('passage_id');
  const asked = reader.transaction(async (trx) => {
    // `iterative_scan` goes on where documents that are switched off leave too few; before 0.8 nobody looks at it.
    await trx.raw(
      `SELECT set_config('hnsw.ef_search', ?, true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
         set_config('enable_seqscan', 'off', true)`,
      [width],
    );
    return trx.from(trx.unionAll(indexes.map(nearest), true).as('nearest')).pluck<number[]>('passage_id');
  });
  return asked.catch(ifGone);
}

/** What PostgreSQL says of a table, a column, a type or an operator that it does not have. */
const NOT_THERE = new Set(['42P01', '42703', '42704', '42883']);

function ifGone(fault: unknown): undefined {
  if (NOT_THERE.has(codeOf(fault))) return undefined;
  throw fault;
}

/** How pgvector reads a vector. */
export function pgvectorText(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
