import type { Knex } from 'knex';
import { rawRows } from '../../query/raw-rows.js';
import type { Session } from '../../query/session.js';
import { pgvectorText } from './halfvec-search.js';
import { floatsOf } from './pages.js';

export interface HalfvecIndex {
  readonly id: number;
  readonly collectionSeq: number;
  readonly model: string;
  readonly dimensions: number;
  readonly ready: boolean;
}

interface Filling {
  readonly index: HalfvecIndex;
  readonly edition: number;
  /** Once it has nothing left to take over, the edition is found by the index alone. */
  readonly isIndexed: boolean;
}

/** In one transaction: few enough that nobody waits long for it. */
const ROWS_AT_ONCE = 500;

/** Takes over some vectors of an edition that the index lacks; false when it lacks none. */
export function fillEdition(session: Session, filling: Filling): Promise<boolean> {
  const { index, edition, isIndexed } = filling;
  return session.transaction(async (trx) => {
    // Whoever writes vectors to it, or sweeps it up, comes before this or after it.
    await trx('editions').where({ id: edition }).forUpdate().first('id');
    const taken = await takeOver(trx, filling);
    if (taken < ROWS_AT_ONCE && isIndexed)
      await trx('halfvec_editions').insert({ index_id: index.id, edition }).onConflict().ignore();
    return taken === ROWS_AT_ONCE;
  });
}

async function takeOver(trx: Knex.Transaction, { index, edition }: Filling): Promise<number> {
  const { id, model, dimensions } = index;
  const rows = await rawRows<{ readonly passage_id: number; readonly vector: Uint8Array }>(
    trx,
    `SELECT passage_id, vector FROM passage_vectors
     WHERE edition = ? AND model = ? AND octet_length(vector) = ? AND NOT EXISTS (
       SELECT 1 FROM passage_halfvecs WHERE passage_halfvecs.passage_id = passage_vectors.passage_id AND index_id = ?
     ) ORDER BY passage_id LIMIT ? FOR KEY SHARE`,
    [edition, model, dimensions * 4, id, ROWS_AT_ONCE],
  );
  if (rows.length === 0) return 0;
  await trx.raw(
    `INSERT INTO passage_halfvecs (passage_id, model, index_id, edition, vector)
     SELECT passage_id, ?, ?::integer, ?::integer, vector::halfvec
     FROM unnest(?::integer[], ?::text[]) AS taken (passage_id, vector)`,
    [
      ...[model, id, edition],
      rows.map(({ passage_id }) => passage_id),
      rows.map(({ vector }) => pgvectorText(floatsOf(vector))),
    ],
  );
  return rows.length;
}
