import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import {
  type Budget,
  type BudgetPlace,
  type BudgetScopeType,
  type BudgetStore,
  placeKey,
} from '../../../src/core/budgets/budget.js';
import { orConflict } from '../../query/refusals.js';
import { now, storable } from '../../query/values.js';
import { createBudgetAccounts } from './accounts.js';
import { createBudgetAlerts } from './alerts.js';

interface BudgetRow {
  readonly id: string;
  readonly organization_id: number;
  readonly scope_type: BudgetScopeType;
  readonly scope_id: number;
  readonly each: boolean | number;
  readonly unit: Budget['unit'];
  readonly amount: number | string;
  readonly period: Budget['period'];
  readonly timezone: string;
  readonly starts_at: string | null;
  readonly ends_at: string | null;
  readonly alerts: string;
  readonly created_at: string;
  readonly updated_at: string;
}

const DAY_MS = 86_400_000;
const LONGEST_DAYS = { day: 2, week: 8, month: 32 };

const TAKEN = 'There is a budget of this unit and period for it already: change that one.';

export function createBudgetStore(db: Knex): BudgetStore {
  const get = async (id: string) => {
    const row = await db<BudgetRow>('budgets').where('id', storable(id)).first();
    return row && toBudget(row);
  };

  return {
    ...createBudgetAccounts(db),
    alerts: createBudgetAlerts(db),
    get,

    async create(budget) {
      const at = now();
      const row = {
        ...{ id: randomUUID(), organization_id: budget.organizationId },
        ...{ scope_type: budget.scope.type, scope_id: budget.scope.id, each: budget.scope.each },
        ...{ unit: budget.unit, ...changeable(budget) },
        ...{ created_at: at, updated_at: at },
      };
      const [made] = (await db('budgets').insert(row).returning('*').catch(orConflict(TAKEN))) as [BudgetRow];
      return toBudget(made);
    },

    async list({ organizationId }) {
      const rows = db<BudgetRow>('budgets').orderBy(['created_at', 'id']);
      if (organizationId !== undefined) void rows.where('organization_id', organizationId);
      return (await rows).map(toBudget);
    },

    async change(id, change) {
      const before = await get(id);
      if (!before) return undefined;
      const row = { ...changeable({ ...before, ...change }), updated_at: now() };
      await db('budgets').where('id', before.id).update(row).catch(orConflict(TAKEN));
      return await get(id);
    },

    async delete(id) {
      return await db.transaction(async (trx) => {
        for (const table of ['budget_accounts', 'budget_alerts'])
          await trx(table).where('budget_id', storable(id)).del();
        return (await trx('budgets').where('id', storable(id)).del()) > 0;
      });
    },

    async people({ id, amount }, periodStart) {
      const row = await db('budget_accounts')
        .where({ budget_id: id, period_start: periodStart })
        .where('used', '>', 0)
        .first<{ readonly counted: number | string; readonly exhausted: number | string | null }>(
          db.raw('count(*) AS counted, sum(CASE WHEN used >= ? THEN 1 ELSE 0 END) AS exhausted', [amount]),
        );
      return { counted: Number(row.counted), exhausted: Number(row.exhausted ?? 0) };
    },

    async sweep(at) {
      const before = (days: number) => new Date(Date.parse(at) - days * DAY_MS).toISOString();
      let gone = 0;
      for (const [period, days] of Object.entries(LONGEST_DAYS))
        gone += await db('budget_accounts')
          .whereNot('user_id', 0)
          .where('period_start', '<', before(days + 1))
          .whereIn('budget_id', db('budgets').where({ period }).select('id'))
          .del();
      return gone;
    },

    async byPlace() {
      const rows = (await db('budgets')
        .leftJoin('lti_courses', (join) => {
          void join.on('scope_id', 'lti_courses.id').andOnVal('scope_type', 'course');
        })
        .select('budgets.*', 'lti_courses.platform_id', 'lti_courses.course_id')
        .orderBy(['budgets.created_at', 'budgets.id'])) as PlacedRow[];
      const found = new Map<string, Budget[]>();
      for (const row of rows) {
        const key = placeKey(...placeOf(row));
        const there = found.get(key) ?? [];
        found.set(key, there);
        there.push(toBudget(row));
      }
      return found;
    },
  };
}

type PlacedRow = BudgetRow & { readonly platform_id: number | null; readonly course_id: string | null };

function placeOf({ scope_type: type, scope_id: id, platform_id, course_id }: PlacedRow): BudgetPlace {
  return type === 'course' ? [type, platform_id ?? 0, course_id ?? ''] : [type, id];
}

function changeable(
  budget: Pick<Budget, 'amount' | 'period' | 'timezone' | 'startsAt' | 'endsAt' | 'alerts'>,
) {
  return {
    ...{ amount: budget.amount, period: budget.period, timezone: storable(budget.timezone) },
    ...{ starts_at: budget.startsAt ?? null, ends_at: budget.endsAt ?? null },
    alerts: JSON.stringify(budget.alerts),
  };
}

function toBudget(row: BudgetRow): Budget {
  return {
    id: row.id,
    organizationId: row.organization_id,
    scope: { type: row.scope_type, id: row.scope_id, each: Boolean(row.each) },
    unit: row.unit,
    amount: Number(row.amount),
    period: row.period,
    timezone: row.timezone,
    startsAt: row.starts_at ?? undefined,
    endsAt: row.ends_at ?? undefined,
    alerts: JSON.parse(row.alerts) as number[],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
