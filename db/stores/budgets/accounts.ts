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
import { type Binding, prepareStatement, type StatementText } from '../../query/prepared.js';
import { rawRows } from '../../query/raw-rows.js';
import { isPostgres } from '../../query/raw-rows.js';
import { now } from '../../query/values.js';

export function createBudgetAccounts(db: Knex): BudgetAccounts {
  const reserve = prepareStatement(db, RESERVE);
  const settle = prepareStatement(db, SETTLE);
  const giveBack = prepareStatement(db, GIVE_BACK);
  const settling = settlingBindings(db);
  // Those that come together are all granted or, where there is not enough for all, each is tried by itself.
  const reserving = createGroupCommit<Reservation>(async (group) => {
    const holds = JSON.stringify(group.map(packedHold));
    const needed = JSON.stringify(sumOf(group.flatMap(({ parts }) => parts)).map(packedPart));
    const rows = await reserve(holds, needed, ...settling(group.flatMap((one) => one.settlements)));
    // SQLite says no by failing, PostgreSQL by what it returns.
    const [{ granted } = { granted: true }] = rows as readonly { readonly granted: boolean }[];
    if (!granted) throw new Error(REFUSAL);
  }, GATHERING_MS);

  return {
    async reserve(hold, settlements) {
      try {
        await reserving.add({ ...hold, settlements });
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

const packedPart = ({ budgetId, userId, periodStart, amount, limit }: BudgetPart) => [
  ...[budgetId, userId, periodStart],
  ...[amount, limit ?? null],
];

interface Reservation extends BudgetHold {
  readonly settlements: readonly BudgetSettlement[];
}

const packedHold = ({ id, runId, parts, expiresAt }: BudgetHold) => [
  ...[id, runId, parts.map(packedPart), expiresAt],
];

const packedSettlements = (settlements: readonly BudgetSettlement[]): string =>
  JSON.stringify(settlements.map(({ holdId, parts }) => [holdId, parts.map(packedPart)]));

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

/**
 * What the statements that settle are given. SQLite is told the sums as well: nearly always every hold is still what it
 * was, and to find them out there takes several times as long.
 */
export function settlingBindings(db: Knex): (settlements: readonly BudgetSettlement[]) => readonly Binding[] {
  if (isPostgres(db)) return (settlements) => [packedSettlements(settlements)];
  return (settlements) => {
    if (settlements.length === 0) return ['[]', '[]', '[]'];
    const holds = settlements.map(({ holdId }) => holdId);
    const used = settlements.flatMap(({ parts }) => parts.map((part) => ({ ...part, freed: 0 })));
    const freed = settlements.flatMap(({ held }) =>
      held.map((part) => ({ ...part, amount: 0, freed: part.amount })),
    );
    return [JSON.stringify(holds), packedChanges([...used, ...freed]), packedSettlements(settlements)];
  };
}

/** For each account, what is used and what is freed. */
function packedChanges(parts: readonly (BudgetPart & { readonly freed: number })[]): string {
  const sums = new Map<string, [string, number, string, number, number]>();
  for (const { budgetId, userId, periodStart, amount, freed } of parts) {
    const key = `${budgetId} ${String(userId)} ${periodStart}`;
    const [, , , used, back] = sums.get(key) ?? [budgetId, userId, periodStart, 0, 0];
    sums.set(key, [budgetId, userId, periodStart, used + amount, back + freed]);
  }
  return JSON.stringify([...sums.values()]);
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

/** The account that a part names, and how much. */
const PART = {
  sqlite: `value ->> 0 AS budget_id, value ->> 1 AS user_id, value ->> 2 AS period_start, value ->> 3 AS amount, value ->> 4 AS most`,
  postgres: `part ->> 0 AS budget_id, (part ->> 1)::integer AS user_id, part ->> 2 AS period_start, (part ->> 3)::bigint AS amount, (part ->> 4)::bigint AS most`,
};
const ACCOUNT = 'budget_id, user_id, period_start';
const SAME = (table: string) =>
  `budget_accounts.budget_id = ${table}.budget_id AND budget_accounts.user_id = ${table}.user_id
   AND budget_accounts.period_start = ${table}.period_start`;

const UNCHANGED = `(SELECT count(*) FROM json_each(NEW.holds) AS named JOIN budget_holds ON budget_holds.id = named.value WHERE parts <> '[]')
  = json_array_length(NEW.holds)`;

/**
 * A trigger writes to several tables in one statement. A hold is settled once, however often it is told. What has been
 * given back meanwhile, because it had expired, is not given back again; what was spent counts all the same: where any
 * hold is not what it was, all are gone through.
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
        JOIN budget_holds ON budget_holds.id = settled.value ->> 0, json_each(settled.value -> 1) AS part
      ) GROUP BY 1, 2, 3
    ) AS spent WHERE ${SAME('spent')};
    DELETE FROM budget_holds WHERE id IN (SELECT value ->> 0 FROM json_each(NEW.settlements));
  END;
  CREATE TEMP TRIGGER IF NOT EXISTS settle_budgets INSTEAD OF INSERT ON budget_settling BEGIN
    INSERT INTO budget_settling_each SELECT NEW.settlements WHERE NOT ${UNCHANGED};
    UPDATE budget_accounts SET used = used + changed.spent, reserved = reserved - changed.freed FROM (
      SELECT value ->> 0 AS budget_id, value ->> 1 AS user_id, value ->> 2 AS period_start, value ->> 3 AS spent, value ->> 4 AS freed
      FROM json_each(NEW.changes)
    ) AS changed WHERE ${SAME('changed')} AND ${UNCHANGED};
    DELETE FROM budget_holds WHERE id IN (SELECT value FROM json_each(NEW.holds));
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
        FROM (SELECT ${PART.postgres} FROM settled JOIN freed ON freed.id = hold_id, jsonb_array_elements(settled.parts) AS listed (part)) AS spent
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
      INSERT INTO budget_settling SELECT NEW.settled, NEW.changes, NEW.settlements WHERE NEW.settled <> '[]';
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
      SELECT id, parts FROM budget_holds WHERE expires_at < $1 AND parts <> '[]' ORDER BY id FOR UPDATE
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
