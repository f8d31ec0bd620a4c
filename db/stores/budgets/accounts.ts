import type { Knex } from 'knex';
import type {
  BudgetAccount,
  BudgetAccounts,
  BudgetFigures,
  BudgetHold,
  BudgetPart,
  BudgetSettlement,
} from '../../../src/core/budgets/budget.js';
import { createGroupCommit } from '../../query/group-commit.js';
import { prepareStatement, type StatementText } from '../../query/prepared.js';
import { isPostgres, rawRows } from '../../query/raw-rows.js';
import { now } from '../../query/values.js';
import {
  ACCOUNT,
  NOTHING_NEEDED,
  packedPart,
  PART,
  SAME,
  SETTLING_IN_SQLITE,
  settlingBindings,
  settlingInPostgres,
} from './settling.js';

export function createBudgetAccounts(db: Knex): BudgetAccounts {
  const reserve = prepareStatement(db, RESERVE);
  const settle = prepareStatement(db, SETTLE);
  const giveBack = prepareStatement(db, GIVE_BACK);
  const settling = settlingBindings(db);
  // Those that come together are all granted or, where there is not enough for all, each is tried by itself.
  const reserving = createGroupCommit<Reservation>(async (group) => {
    const asked = group.flatMap(({ holds: some }) => some);
    const holds = JSON.stringify(asked.map(packedHold));
    const needed = JSON.stringify(sumOf(asked.flatMap(({ parts }) => parts)).map(packedPart));
    const rows = await reserve(holds, needed, ...settling(group.flatMap((one) => one.settlements)));
    // SQLite says no by failing, PostgreSQL by what it returns.
    const [{ granted } = { granted: true }] = rows as readonly { readonly granted: boolean }[];
    if (!granted) throw new Error(REFUSAL);
  }, GATHERING_MS);

  return {
    async reserve(hold, settlements, more = []) {
      try {
        await reserving.add({ holds: [hold, ...more], settlements });
        return true;
      } catch (fault) {
        if (!isRefusal(fault)) throw fault;
        return false;
      }
    },

    async settle(settlements) {
      if (settlements.length > 0) await settle(...settling(settlements));
    },

    async figures(accounts) {
      if (accounts.length === 0) return [];
      await giveBack(now(), new Date(Date.now() - DAY_MS).toISOString());
      const opened = await openable(db, accounts);
      if (opened.length === 0) return [];
      await db('budget_accounts')
        .insert(opened)
        .onConflict(['budget_id', 'user_id', 'period_start'])
        .ignore();
      return await read(db, accounts);
    },
  };
}

/** Half of what records take: a reservation is waited for before a model is asked. One that comes alone never waits. */
const GATHERING_MS = 5;

/** How long it is remembered that something was given back: a run that comes back after it is not waited for. */
const DAY_MS = 86_400_000;

/** Where one word in the middle of a message is all that a trigger can say. */
const REFUSAL = 'budget_exceeded';
const isRefusal = (fault: unknown) => fault instanceof Error && fault.message.includes(REFUSAL);

interface Reservation {
  readonly holds: readonly BudgetHold[];
  readonly settlements: readonly BudgetSettlement[];
}

const packedHold = ({ id, runId, parts, expiresAt }: BudgetHold) => [
  ...[id, runId, parts.map(packedPart), expiresAt],
];

/** One part for each account. */
function sumOf(parts: readonly BudgetPart[]): readonly BudgetPart[] {
  const sums = new Map<string, BudgetPart>();
  for (const part of parts) {
    const key = `${part.budgetId} ${String(part.userId)} ${part.periodStart}`;
    const before = sums.get(key);
    const limit = Math.min(before?.limit ?? Infinity, part.limit ?? Infinity);
    sums.set(key, {
      ...part,
      amount: part.amount + (before?.amount ?? 0),
      ...(limit === Infinity ? {} : { limit }),
    });
  }
  return [...sums.values()];
}

type Limited = BudgetAccount & Pick<BudgetPart, 'limit'>;

/** Those whose budget is still there, and those that need none. */
async function openable(db: Knex, accounts: readonly Limited[]): Promise<object[]> {
  const ids = [...new Set(accounts.map(({ budgetId }) => budgetId))];
  const there = new Set(await db('budgets').whereIn('id', ids).pluck<string[]>('id'));
  return accounts
    .filter(({ budgetId, limit }) => limit !== undefined || there.has(budgetId))
    .map(({ budgetId, userId, periodStart }) => ({
      ...{ budget_id: budgetId, user_id: userId, period_start: periodStart },
      ...{ used: 0, reserved: 0 },
    }));
}

interface FigureRow {
  readonly budget_id: string;
  readonly user_id: number;
  readonly period_start: string;
  readonly amount: number | string | null;
  readonly used: number | string;
  readonly reserved: number | string;
}

async function read(db: Knex, accounts: readonly Limited[]): Promise<readonly BudgetFigures[]> {
  const each = accounts.map(() => `(?, ${isPostgres(db) ? 'CAST(? AS integer)' : '?'}, ?)`).join(', ');
  const rows = await rawRows<FigureRow>(
    db,
    `SELECT budget_accounts.*, budgets.amount FROM budget_accounts LEFT JOIN budgets ON budgets.id = budget_id
     WHERE (budget_id, user_id, period_start) IN (VALUES ${each})`,
    accounts.flatMap(({ budgetId, userId, periodStart }) => [budgetId, userId, periodStart]),
  );
  const limits = new Map(accounts.map(({ budgetId, limit }) => [budgetId, limit]));
  return rows.map((row) => ({
    ...{ budgetId: row.budget_id, userId: row.user_id, periodStart: row.period_start },
    ...{
      amount: limits.get(row.budget_id) ?? Number(row.amount ?? 0),
      used: Number(row.used),
      reserved: Number(row.reserved),
    },
  }));
}

const SETTLE: StatementText = {
  name: 'settle_budgets',
  sqliteSetUp: SETTLING_IN_SQLITE,
  sqlite: 'INSERT INTO budget_settling VALUES (?, ?, ?)',
  postgres: `WITH ${settlingInPostgres('$1::jsonb', `'[]'::jsonb`, NOTHING_NEEDED)} SELECT 1`,
};

/** A budget that is gone has no account; it refuses until whoever asks has noticed. */
const RESERVE: StatementText = {
  name: 'reserve_budgets',
  sqliteSetUp: `${SETTLING_IN_SQLITE}
    CREATE TEMP VIEW IF NOT EXISTS budget_reserving AS
      SELECT NULL AS holds, NULL AS needed, NULL AS settled, NULL AS changes, NULL AS settlements;
    CREATE TEMP TRIGGER IF NOT EXISTS reserve_budgets INSTEAD OF INSERT ON budget_reserving BEGIN
      INSERT INTO budget_settling SELECT NEW.settled, NEW.changes, NEW.settlements WHERE NEW.changes <> '[]';
      SELECT RAISE(ABORT, '${REFUSAL}') FROM (SELECT ${PART.sqlite} FROM json_each(NEW.needed)) AS needed
        LEFT JOIN budget_accounts ON ${SAME('needed')}
        LEFT JOIN budgets ON budgets.id = needed.budget_id
        WHERE coalesce(used + reserved + needed.amount > coalesce(needed.most, budgets.amount), true);
      UPDATE budget_accounts SET reserved = reserved + needed.amount
        FROM (SELECT ${PART.sqlite} FROM json_each(NEW.needed)) AS needed WHERE ${SAME('needed')};
      INSERT INTO budget_holds (id, run_id, parts, expires_at)
        SELECT value ->> 0, value ->> 1, value -> 2, value ->> 3 FROM json_each(NEW.holds);
    END;`,
  sqlite: 'INSERT INTO budget_reserving VALUES (?, ?, ?, ?, ?)',
  postgres: `
    WITH ${settlingInPostgres(
      '$3::jsonb',
      '$2::jsonb',
      `verdict AS (
        SELECT count(*) FILTER (WHERE needed > 0) = jsonb_array_length($2::jsonb) AND coalesce(
          bool_and(coalesce(needed = 0 OR used + spent + reserved - freed + needed <= coalesce(most, budgets.amount), false)), true) AS granted
        FROM locked LEFT JOIN budgets ON budgets.id = locked.budget_id
      )`,
    )}, held AS (
      INSERT INTO budget_holds (id, run_id, parts, expires_at)
        SELECT one ->> 0, one ->> 1, one ->> 2, one ->> 3 FROM jsonb_array_elements($1::jsonb) AS listed (one)
        WHERE (SELECT granted FROM verdict)
    )
    SELECT granted FROM verdict`,
};

/** Of runs that ended without a word. What is left of a hold says that it has not been settled yet. */
const GIVE_BACK: StatementText = {
  name: 'give_back_budgets',
  sqliteSetUp: `
    CREATE TEMP VIEW IF NOT EXISTS budget_expiring AS SELECT NULL AS at, NULL AS long_ago;
    CREATE TEMP TRIGGER IF NOT EXISTS give_back_budgets INSTEAD OF INSERT ON budget_expiring BEGIN
      UPDATE budget_accounts SET reserved = reserved - freed.amount FROM (
        SELECT ${ACCOUNT}, sum(amount) AS amount FROM (
          SELECT ${PART.sqlite} FROM budget_holds, json_each(budget_holds.parts) WHERE expires_at < NEW.at
        ) GROUP BY 1, 2, 3
      ) AS freed WHERE ${SAME('freed')};
      UPDATE budget_holds SET parts = '[]' WHERE expires_at < NEW.at AND parts <> '[]';
      DELETE FROM budget_holds WHERE expires_at < NEW.long_ago;
    END;`,
  sqlite: 'INSERT INTO budget_expiring VALUES (?, ?)',
  postgres: `
    WITH expired AS (
      SELECT id, parts FROM budget_holds WHERE expires_at < $1 AND parts <> '[]' ORDER BY id FOR UPDATE SKIP LOCKED
    ), freed AS (
      SELECT ${ACCOUNT}, sum(amount)::bigint AS amount
      FROM (SELECT ${PART.postgres} FROM expired, jsonb_array_elements(expired.parts::jsonb) AS listed (part)) AS back
      GROUP BY ${ACCOUNT}
    ), locked AS (
      SELECT freed.* FROM budget_accounts JOIN freed ON ${SAME('freed')}
      ORDER BY budget_accounts.budget_id, budget_accounts.user_id, budget_accounts.period_start FOR UPDATE OF budget_accounts
    ), booked AS (
      UPDATE budget_accounts SET reserved = reserved - locked.amount FROM locked WHERE ${SAME('locked')}
    ), emptied AS (
      UPDATE budget_holds SET parts = '[]' WHERE id IN (SELECT id FROM expired)
    )
    DELETE FROM budget_holds WHERE expires_at < $2 AND parts = '[]'`,
};
