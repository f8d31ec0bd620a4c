import type { Knex } from 'knex';
import type { RunMonthStore } from '../../../src/core/runs/stores.js';
import { isPostgres, rawRows } from '../../query/raw-rows.js';
import { holdSums } from '../usage-sums.js';
import { dropPast, makePartitions } from './partitions.js';

/** In one statement: few enough that no chat waits long for it. */
const ROWS_AT_ONCE = 200;

export function createRunMonthStore(db: Knex): RunMonthStore {
  return {
    makeAhead: (now) => (isPostgres(db) ? makePartitions(db, now) : Promise.resolve(0)),

    close: (before) =>
      db.transaction(async (trx) => {
        const { upTo, closedBefore } = await holdSums(trx);
        const day = before.slice(0, 10);
        if (closedBefore >= day) return true;
        const [open] = await rawRows(
          trx,
          `SELECT 1 FROM usage_stale_days WHERE day < ?
            UNION ALL SELECT 1 FROM usage_ledger WHERE id > ? AND created_at < ? LIMIT 1`,
          [day, upTo, before],
        );
        if (open !== undefined) return false;
        await trx('usage_summing').update({ closed_before: day });
        return true;
      }),

    dropMonths: (before) => (isPostgres(db) ? dropPast(db, new Date(before)) : Promise.resolve(0)),

    // Found first and then deleted: PostgreSQL looks into every month for ids that it does not know beforehand.
    async deleteSome(before) {
      const past = db('runs').where('started_at', '<', before);
      const ids = await past.orderBy(['started_at', 'id']).limit(ROWS_AT_ONCE).pluck<string[]>('id');
      return (await db('runs').whereIn('id', ids).del()) + (await deleteFromLedger(db, before));
    },
  };
}

/** What is in no sum is all that is known of its run, and stays. */
async function deleteFromLedger(db: Knex, before: string): Promise<number> {
  const past = () => db('usage_ledger').where('created_at', '<', before);
  const ids = await past()
    // Each organisation's along an index.
    .whereIn('organization_id', db('organizations').select('id'))
    .whereRaw('id <= (SELECT up_to FROM usage_summing WHERE closed_before >= ?)', [before.slice(0, 10)])
    .whereNotIn('id', db('usage_unsummed').select('ledger_id'))
    .limit(ROWS_AT_ONCE)
    .pluck<number[]>('id');
  return past().whereIn('id', ids).del();
}
