import type { Knex } from 'knex';
import type { DocumentStore } from '../../src/core/knowledge/stores.js';
import { isPostgres, rawRows } from '../query/raw-rows.js';
import { changeCounts, splitTerms } from './terms.js';
import { deleteVectors } from './vectors/store.js';

/** In one transaction: few enough that nobody waits long for it. */
const ROWS_AT_ONCE = 200;

interface UnseenEdition {
  readonly id: number;
  readonly collection_seq: number;
}

export function createSweeping(db: Knex): Pick<DocumentStore, 'sweep'> {
  return {
    async sweep() {
      for (let edition = await nextUnseen(db); edition; edition = await nextUnseen(db)) {
        const { id } = edition;
        let isGone = false;
        while (!isGone) isGone = await db.transaction((trx) => sweepSome(trx, id));
      }
    },
  };
}

/** One that is not shown and that nobody is writing: its claim is none that a document has. */
async function nextUnseen(db: Knex): Promise<UnseenEdition | undefined> {
  return db<UnseenEdition>('editions')
    .whereRaw('NOT live')
    .whereNotExists(db('documents').whereRaw('documents.claim = editions.claim'))
    .orderBy('id')
    .first('id', 'collection_seq');
}

/** True when nothing is left of it. The edition itself goes last: as long as there are rows, it is found again. */
async function sweepSome(trx: Knex.Transaction, id: number): Promise<boolean> {
  // Locked: whoever still writes to it, or sweeps it too, comes before this or after it.
  const [edition] = await rawRows<UnseenEdition>(
    trx,
    'UPDATE editions SET claim = NULL WHERE id = ? AND NOT live RETURNING id, collection_seq',
    [id],
  );
  if (!edition) return true;
  if (await sweepPassages(trx, edition)) return false;
  const sections = trx('sections').select('id').where('edition', id).limit(ROWS_AT_ONCE);
  if ((await trx('sections').whereIn('id', sections).del()) > 0) return false;
  await trx('editions').where({ id }).del();
  return true;
}

async function sweepPassages(trx: Knex.Transaction, { id, collection_seq }: UnseenEdition): Promise<boolean> {
  const rows = await rawRows<{ readonly id: number; readonly terms: string }>(
    trx,
    'SELECT id, terms FROM passages WHERE edition = ? ORDER BY position LIMIT ?',
    [id, ROWS_AT_ONCE],
  );
  if (rows.length === 0) return false;
  const ids = rows.map((row) => row.id);
  const terms = rows.map((row) => splitTerms(row.terms));
  await changeCounts(trx, { collectionSeq: collection_seq, terms, by: -1 });
  if (!isPostgres(trx)) await trx('passage_index').whereIn('rowid', ids).del();
  await deleteVectors(trx, ids);
  await trx('pinned_passages').whereIn('passage_id', ids).del();
  await trx('passages').whereIn('id', ids).del();
  return true;
}
