import type { Knex } from 'knex';
import type { DueRun, ForgettingStore } from '../../../src/core/lti/erasure.js';

/** In one transaction: few enough that nobody waits long for it. */
export const ROWS_AT_ONCE = 200;

interface RunRow {
  readonly id: string;
  readonly user_id: number;
}

export function createForgottenRuns(
  db: Knex,
): Pick<ForgettingStore, 'dueRuns' | 'runsToErase' | 'strays' | 'forgetRuns' | 'forgetApprovals'> {
  const some = async (runs: Knex.QueryBuilder): Promise<readonly DueRun[]> => {
    const rows: RunRow[] = await runs.limit(ROWS_AT_ONCE).select('runs.id', 'runs.user_id');
    return rows.map(({ id, user_id }) => ({ id, userId: user_id }));
  };

  return {
    dueRuns: ({ activityId, before }) =>
      some(db('runs').where('activity_id', activityId).where('started_at', '<', before)),

    runsToErase: ({ activityId, userId, askedAt }) =>
      some(db('runs').where({ activity_id: activityId, user_id: userId }).where('started_at', '<=', askedAt)),

    strays: (activityId, since) =>
      some(strayIn(db, 'runs', activityId).where('runs.started_at', '>=', since)),

    async forgetRuns(runs) {
      const ids = runs.map(({ id }) => id);
      await db.transaction(async (trx) => {
        for (const table of ['usage_ledger', 'audit']) {
          await trx(table).whereIn('run_id', ids).update({ user_id: null });
        }
        await trx('approvals').whereIn('run_id', ids).del();
        await trx('runs').whereIn('id', ids).del();
      });
    },

    forgetApprovals: (now) => db('approvals').where('expires_at', '<', now).del(),
  };
}

/** Of somebody who is not in that activity. Whoever comes is, before they can say anything. */
export function strayIn(db: Knex, table: 'runs' | 'conversations', activityId: number): Knex.QueryBuilder {
  return db(table)
    .where(`${table}.activity_id`, activityId)
    .whereNotExists(
      db('lti_participants')
        .whereRaw('lti_participants.activity_id = ??.activity_id', [table])
        .whereRaw('lti_participants.user_id = ??.user_id', [table]),
    );
}
