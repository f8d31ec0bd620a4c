import type { Knex } from 'knex';
import { isPostgres } from '../query/raw-rows.js';

/** Stands for all passages of a collection; what it has in `total` is the length of all of them together. */
export const EVERY_PASSAGE = '';

interface CountChange {
  readonly collectionSeq: number;
  /** Of each passage that comes or goes. */
  readonly terms: readonly (readonly string[])[];
  readonly by: 1 | -1;
}

/**
 * Keeps the counts in step with the rows that are there, in the transaction that writes or deletes them. Always in one
 * order: who changes the same collection waits for all passages or for some term, and nobody in a circle.
 */
export async function changeCounts(trx: Knex, { collectionSeq, terms, by }: CountChange): Promise<void> {
  const counts = new Map([[EVERY_PASSAGE, by * terms.length]]);
  for (const passage of terms)
    for (const term of new Set(passage)) counts.set(term, (counts.get(term) ?? 0) + by);
  const length = terms.reduce((sum, passage) => sum + passage.length, 0);
  const changes = JSON.stringify(Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))));
  const { each, integer } = isPostgres(trx) ? POSTGRES : SQLITE;
  await trx.raw(
    `INSERT INTO term_counts (collection_seq, term, passages, total)
     SELECT ?${integer}, key, value${integer}, CASE key WHEN '${EVERY_PASSAGE}' THEN ?${integer} ELSE 0 END
     FROM ${each} WHERE true
     ON CONFLICT (collection_seq, term) DO UPDATE SET
       passages = term_counts.passages + excluded.passages, total = term_counts.total + excluded.total`,
    [collectionSeq, by * length, changes],
  );
  if (by > 0) return;
  await trx.raw(
    `DELETE FROM term_counts WHERE collection_seq = ? AND passages = 0 AND term IN (SELECT key FROM ${each})`,
    [collectionSeq, changes],
  );
}

const SQLITE = { each: 'json_each(?)', integer: '' };
const POSTGRES = { each: 'jsonb_each_text(?::jsonb)', integer: '::integer' };
