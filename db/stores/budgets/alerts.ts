import type { Knex } from 'knex';
import type { BudgetAlert, BudgetAlerts } from '../../../src/core/budgets/budget.js';
import { isPostgres, rawRows } from '../../query/raw-rows.js';
import { now } from '../../query/values.js';

interface AlertRow {
  readonly id: number;
  readonly budget_id: string;
  readonly user_id: number;
  readonly period_start: string;
  readonly threshold: number;
  readonly used: number | string;
  readonly amount: number | string;
  readonly reached_at: string;
  readonly tries: number;
}

const MOST_AT_ONCE = 20;

export function createBudgetAlerts(db: Knex): BudgetAlerts {
  const notice = isPostgres(db) ? NOTICE.postgres : NOTICE.sqlite;

  return {
    async noticeReached(periods) {
      if (periods.length === 0) return;
      const at = now();
      const packed = JSON.stringify(periods.map(({ budgetId, periodStart }) => [budgetId, periodStart]));
      await db.raw(notice, [at, at, packed]);
    },

    async list(budgetIds, limit) {
      const rows = (await db('budget_alerts')
        .whereIn('budget_id', [...budgetIds])
        .orderBy('id', 'desc')
        .limit(limit)) as AlertRow[];
      return rows.map(toAlert);
    },

    async takeDue(retryAt) {
      const rows = await rawRows<AlertRow>(
        db,
        `UPDATE budget_alerts SET tries = tries + 1, next_try_at = ?
         WHERE id IN (
           SELECT id FROM budget_alerts WHERE next_try_at <= ? ORDER BY next_try_at LIMIT ${String(MOST_AT_ONCE)}
           ${isPostgres(db) ? 'FOR UPDATE SKIP LOCKED' : ''}
         ) RETURNING *`,
        [retryAt, now()],
      );
      return rows.map((row) => ({ ...toAlert(row), tries: row.tries }));
    },

    async settle(id, nextTryAt) {
      await db('budget_alerts')
        .where({ id })
        .update({ next_try_at: nextTryAt ?? null });
    },
  };
}

const REACHED = (threshold: string) => `used * 100 >= amount * ${threshold}`;
const COLUMNS = 'budget_id, user_id, period_start, threshold, used, amount, reached_at, next_try_at';

/** One row for each threshold, however many processes notice it. */
const NOTICE = {
  sqlite: `
    INSERT INTO budget_alerts (${COLUMNS})
    SELECT account.budget_id, user_id, period_start, threshold.value, used, amount, ?, ?
    FROM json_each(?) AS listed
    JOIN budgets ON budgets.id = listed.value ->> 0
    JOIN budget_accounts AS account
      ON account.budget_id = listed.value ->> 0 AND account.period_start = listed.value ->> 1
    JOIN json_each(budgets.alerts) AS threshold ON ${REACHED('threshold.value')}
    WHERE true
    ON CONFLICT (budget_id, user_id, period_start, threshold) DO NOTHING`,
  postgres: `
    INSERT INTO budget_alerts (${COLUMNS})
    SELECT account.budget_id, user_id, period_start, threshold.value::integer, used, amount, ?, ?
    FROM jsonb_array_elements(?::jsonb) AS listed (one)
    JOIN budgets ON budgets.id = listed.one ->> 0
    JOIN budget_accounts AS account
      ON account.budget_id = listed.one ->> 0 AND account.period_start = listed.one ->> 1
    JOIN jsonb_array_elements_text(budgets.alerts::jsonb) AS threshold (value) ON ${REACHED('threshold.value::integer')}
    ON CONFLICT (budget_id, user_id, period_start, threshold) DO NOTHING`,
};

function toAlert(row: AlertRow): BudgetAlert {
  return {
    id: row.id,
    budgetId: row.budget_id,
    userId: row.user_id,
    periodStart: row.period_start,
    threshold: row.threshold,
    used: Number(row.used),
    amount: Number(row.amount),
    reachedAt: row.reached_at,
  };
}
