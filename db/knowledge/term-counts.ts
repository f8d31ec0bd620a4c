import type { Knex } from 'knex';
import { packedRows } from '../packed-rows.js';
import { isPostgres } from '../raw-rows.js';

/** Stands for all passages of a collection; what it has in `total` is the length of all of them together. */
export const EVERY_PASSAGE = '';

interface CountChange {
  readonly collectionSeq: number;
  /** Of each passage that comes or goes. */
  readonly terms: readonly (readonly string[])[];
  readonly by: 1 | -1;
}

/**
 * Keeps the counts in step with the rows that are there, in the transaction that writes or deletes them. Always in the
 * order of the terms, all passages first: who changes the same collection waits there, and nobody in a circle.
 */
export async function changeCounts(trx: Knex, { collectionSeq, terms, by }: CountChange): Promise<void> {
  const counts = new Map<string, number>();
  for (const passage of terms)
    for (const term of new Set(passage)) counts.set(term, (counts.get(term) ?? 0) + by);
  const length = terms.reduce((sum, passage) => sum + passage.length, 0);
  const changes = [
    [EVERY_PASSAGE, by * terms.length, by * length],
    ...[...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([term, count]) => [term, count, 0]),
  ];
  const packed = packedRows(changes);
  const { addUp, clear } = isPostgres(trx) ? POSTGRES : SQLITE;
  await trx.raw(addUp, [collectionSeq, packed]);
  if (by < 0) await trx.raw(clear, [collectionSeq, packed]);
}

const INTO = 'INSERT INTO term_counts (collection_seq, term, passages, total)';
const ADDED = `ON CONFLICT (collection_seq, term) DO UPDATE SET
  passages = term_counts.passages + excluded.passages, total = term_counts.total + excluded.total`;
const EMPTY = 'DELETE FROM term_counts WHERE collection_seq = ? AND passages = 0 AND term IN';

const SQLITE = {
  addUp: `${INTO}
    SELECT ?, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE true ${ADDED}`,
  clear: `${EMPTY} (SELECT value ->> 0 FROM json_each(?))`,
};

const POSTGRES = {
  addUp: `${INTO}
    SELECT ?::integer, change ->> 0, (change ->> 1)::integer, (change ->> 2)::bigint
    FROM jsonb_array_elements(?::jsonb) AS change ${ADDED}`,
  clear: `${EMPTY} (SELECT change ->> 0 FROM jsonb_array_elements(?::jsonb) AS change)`,
};
