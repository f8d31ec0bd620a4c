import type { Knex } from 'knex';
import {
  add,
  type BudgetPart,
  type BudgetSettlement,
  type CountedAccount,
  type Counters,
} from '../../../src/core/budgets/budget.js';
import type { Binding } from '../../query/prepared.js';
import { isPostgres } from '../../query/raw-rows.js';

/** How what is spent is booked and what was set aside is freed, by itself or as a part of a larger statement. */

export const packedPart = ({ budgetId, userId, periodStart, amount, limit }: BudgetPart) => [
  ...[budgetId, userId, periodStart],
  ...[amount, limit ?? null],
];

const packedSettlements = (settlements: readonly BudgetSettlement[]): string =>
  JSON.stringify(
    settlements.map(({ holdId, accounts, spent }) => [
      holdId ?? null,
      accounts
        .filter(({ unit }) => spent[unit] > 0)
        .map((account) => packedPart({ ...account, amount: spent[account.unit] })),
    ]),
  );

/**
 * What the statements that settle are given. SQLite is told the sums as well: nearly always every hold is still what it
 * was, and to find them out there takes several times as long.
 */
export function settlingBindings(db: Knex): (settlements: readonly BudgetSettlement[]) => readonly Binding[] {
  if (isPostgres(db)) return (settlements) => [packedSettlements(settlements)];
  return (settlements) => {
    if (settlements.length === 0) return NONE;
    const holds: string[] = [];
    for (const { holdId } of settlements) if (holdId !== undefined) holds.push(holdId);
    const changes = packedChanges(settlements);
    return holds.length === 0
      ? ['[]', changes, '[]']
      : [JSON.stringify(holds), changes, packedSettlements(settlements)];
  };
}

const NONE = ['[]', '[]', '[]'];

/** For each account, what is used and what is freed. */
function packedChanges(settlements: readonly BudgetSettlement[]): string {
  const sums = new Map<readonly CountedAccount[], { readonly spent: Counters; readonly freed: Counters }>();
  for (const { accounts, spent, held } of settlements) {
    const sum = sums.get(accounts);
    if (sum) {
      add(sum.spent, spent);
      add(sum.freed, held);
    } else sums.set(accounts, { spent: { ...spent }, freed: { ...held } });
  }
  const changes: Change[] = [];
  for (const [accounts, { spent, freed }] of sums) {
    for (const { budgetId, userId, periodStart, unit } of accounts) {
      if (spent[unit] === 0 && freed[unit] === 0) continue;
      // Of two lists that have it in common.
      const known =
        sums.size > 1 &&
        changes.find(
          ([budget, user, start]) => budget === budgetId && user === userId && start === periodStart,
        );
      if (known) {
        known[3] += spent[unit];
        known[4] += freed[unit];
      } else changes.push([budgetId, userId, periodStart, spent[unit], freed[unit]]);
    }
  }
  return JSON.stringify(changes);
}

/** An account, what is used of it and what is freed. */
type Change = [budgetId: string, userId: number, periodStart: string, spent: number, freed: number];

/** The account that a part names, and how much. */
export const PART = {
  sqlite: `value ->> 0 AS budget_id, value ->> 1 AS user_id, value ->> 2 AS period_start, value ->> 3 AS amount, value ->> 4 AS most`,
  postgres: `part ->> 0 AS budget_id, (part ->> 1)::integer AS user_id, part ->> 2 AS period_start, (part ->> 3)::bigint AS amount, (part ->> 4)::bigint AS most`,
};
export const ACCOUNT = 'budget_id, user_id, period_start';
export const SAME = (table: string) =>
  `budget_accounts.budget_id = ${table}.budget_id AND budget_accounts.user_id = ${table}.user_id
   AND budget_accounts.period_start = ${table}.period_start`;

const UNCHANGED = `(SELECT count(*) FROM json_each(NEW.holds) AS named JOIN budget_holds ON budget_holds.id = named.value WHERE parts <> '[]')
  = json_array_length(NEW.holds)`;

const BOOK = `UPDATE budget_accounts SET used = used + changed.spent, reserved = reserved - changed.freed FROM (
      SELECT value ->> 0 AS budget_id, value ->> 1 AS user_id, value ->> 2 AS period_start, value ->> 3 AS spent, value ->> 4 AS freed
      FROM json_each(NEW.changes)
    ) AS changed WHERE ${SAME('changed')}`;

/**
 * A trigger writes to several tables in one statement. A hold is settled once, however often it is told. What has been
 * given back meanwhile, because it had expired, is not given back again; what was spent counts all the same: where any
 * hold is not what it was, all are gone through. What names no hold is counted whenever it is told.
 */
export const SETTLING_IN_SQLITE = `
  CREATE TEMP VIEW IF NOT EXISTS budget_settling AS SELECT NULL AS holds, NULL AS changes, NULL AS settlements;
  CREATE TEMP VIEW IF NOT EXISTS budget_settling_each AS SELECT NULL AS settlements;
  CREATE TEMP TRIGGER IF NOT EXISTS settle_each INSTEAD OF INSERT ON budget_settling_each BEGIN
    UPDATE budget_accounts SET reserved = reserved - freed.amount FROM (
      SELECT ${ACCOUNT}, sum(amount) AS amount FROM (
        SELECT part.value ->> 0 AS budget_id, part.value ->> 1 AS user_id, part.value ->> 2 AS period_start,
          part.value ->> 3 AS amount
        FROM json_each(NEW.settlements) AS settled
        JOIN budget_holds ON budget_holds.id = settled.value ->> 0, json_each(budget_holds.parts) AS part
      ) GROUP BY 1, 2, 3
    ) AS freed WHERE ${SAME('freed')};
    UPDATE budget_accounts SET used = used + spent.amount FROM (
      SELECT ${ACCOUNT}, sum(amount) AS amount FROM (
        SELECT part.value ->> 0 AS budget_id, part.value ->> 1 AS user_id, part.value ->> 2 AS period_start,
          part.value ->> 3 AS amount
        FROM json_each(NEW.settlements) AS settled
        LEFT JOIN budget_holds ON budget_holds.id = settled.value ->> 0, json_each(settled.value -> 1) AS part
        WHERE budget_holds.id IS NOT NULL OR settled.value ->> 0 IS NULL
      ) GROUP BY 1, 2, 3
    ) AS spent WHERE ${SAME('spent')};
    DELETE FROM budget_holds WHERE id IN (SELECT value ->> 0 FROM json_each(NEW.settlements));
  END;
  CREATE TEMP TRIGGER IF NOT EXISTS settle_budgets INSTEAD OF INSERT ON budget_settling WHEN NEW.holds <> '[]' BEGIN
    INSERT INTO budget_settling_each SELECT NEW.settlements WHERE NOT ${UNCHANGED};
    ${BOOK} AND ${UNCHANGED};
    DELETE FROM budget_holds WHERE id IN (SELECT value FROM json_each(NEW.holds));
  END;
  CREATE TEMP TRIGGER IF NOT EXISTS book_budgets INSTEAD OF INSERT ON budget_settling WHEN NEW.holds = '[]' BEGIN
    ${BOOK};
  END;`;

/**
 * In PostgreSQL holds and then accounts are locked in one order by everybody, so that two who book at the same time never wait for each
 * other. The locked rows are the newest, also when somebody else has just changed them.
 */
export const settlingInPostgres = (settlements: string, needed: string, granted: string): string => `
  settled (hold_id, parts) AS (
    SELECT one ->> 0, one -> 1 FROM jsonb_array_elements(${settlements}) AS listed (one)
  ), freed AS (
    SELECT id, parts FROM budget_holds WHERE id IN (SELECT hold_id FROM settled) ORDER BY id FOR UPDATE
  ), changes AS (
    SELECT ${ACCOUNT}, sum(used)::bigint AS used, sum(freed)::bigint AS freed, sum(needed)::bigint AS needed, max(most) AS most FROM (
      SELECT budget_id, user_id, period_start, amount AS used, 0 AS freed, 0 AS needed, NULL::bigint AS most
        FROM (SELECT ${PART.postgres} FROM settled LEFT JOIN freed ON freed.id = hold_id, jsonb_array_elements(settled.parts) AS listed (part)
          WHERE freed.id IS NOT NULL OR hold_id IS NULL) AS spent
      UNION ALL SELECT budget_id, user_id, period_start, 0, amount, 0, NULL
        FROM (SELECT ${PART.postgres} FROM freed, jsonb_array_elements(freed.parts::jsonb) AS listed (part)) AS back
      UNION ALL SELECT budget_id, user_id, period_start, 0, 0, amount, most
        FROM (SELECT ${PART.postgres} FROM jsonb_array_elements(${needed}) AS listed (part)) AS wanted
    ) AS booked GROUP BY ${ACCOUNT}
  ), locked AS (
    SELECT budget_accounts.*, changes.used AS spent, changes.freed, changes.needed, changes.most
    FROM budget_accounts JOIN changes ON ${SAME('changes')}
    ORDER BY budget_accounts.budget_id, budget_accounts.user_id, budget_accounts.period_start FOR UPDATE OF budget_accounts
  ), ${granted}, booked AS (
    UPDATE budget_accounts SET used = budget_accounts.used + locked.spent,
      reserved = budget_accounts.reserved - locked.freed + locked.needed
    FROM locked WHERE ${SAME('locked')} AND (SELECT granted FROM verdict)
  ), forgotten AS (
    DELETE FROM budget_holds WHERE id IN (SELECT id FROM freed) AND (SELECT granted FROM verdict)
  )`;

export const NOTHING_NEEDED = `verdict (granted) AS (SELECT true)`;
