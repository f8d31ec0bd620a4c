import type {
  Budget,
  BudgetFigures,
  BudgetScopeType,
  BudgetUnit,
} from '../../../../src/http/contract/budgets.ts';
import { SCOPE_TYPES } from './budget-draft.ts';

/** What is to be known about a budget at a glance. */
export type BudgetState = 'spent' | 'low' | 'waiting' | 'over';

/** From this share on it is nearly used up. */
const LOW = 0.8;

export function stateOf(
  budget: BudgetFigures &
    Partial<Pick<Budget, 'starts_at' | 'ends_at' | 'people'>> & { readonly amount: number },
  now = Date.now(),
): BudgetState | undefined {
  const { starts_at, ends_at, people } = budget;
  if (starts_at && Date.parse(starts_at) > now) return 'waiting';
  if (ends_at && Date.parse(ends_at) <= now) return 'over';
  // Where everybody has one of their own, there is none that is used up for all.
  if (people) return undefined;
  if (budget.used >= budget.amount) return 'spent';
  return budget.used >= LOW * budget.amount ? 'low' : undefined;
}

/** Of its present period, how much has passed: 0 to 1. Nothing for one that is never back. */
export function elapsedOf(
  {
    period_started_at,
    resets_at,
  }: Pick<BudgetFigures, 'resets_at'> & Partial<Pick<Budget, 'period_started_at'>>,
  now = Date.now(),
): number | undefined {
  if (!period_started_at || resets_at === null) return undefined;
  const from = Date.parse(period_started_at);
  return Math.min(Math.max((now - from) / (Date.parse(resets_at) - from), 0), 1);
}

export interface BudgetGroup {
  readonly type: BudgetScopeType;
  readonly budgets: readonly Budget[];
}

/** By what they are for, from the whole to the single one; within each by name. */
export function grouped(budgets: readonly Budget[]): readonly BudgetGroup[] {
  const byName = (a: Budget, b: Budget) =>
    a.scope.name.localeCompare(b.scope.name) || a.scope.id - b.scope.id || a.unit.localeCompare(b.unit);
  return SCOPE_TYPES.map((type) => ({
    type,
    budgets: budgets.filter(({ scope }) => scope.type === type).sort(byName),
  })).filter((group) => group.budgets.length > 0);
}

/** How usage is measured so that it compares with a budget. */
export const MEASURE_OF: Readonly<Record<BudgetUnit, 'runs' | 'tokens' | 'cost'>> = {
  ...{ requests: 'runs', tokens: 'tokens', cost: 'cost' },
};

const FILTERS = {
  ...{ course: 'course_id', activity: 'activity_id', user: 'user_id', assistant: 'assistant_id' },
} as const;

export type SpendingQuery = Readonly<Record<string, string>>;

/** Usage reports cover so much at most: three years. */
const LONGEST_REPORT_MS = 1_095 * 86_400_000;

/** Asks for the usage that it has counted in its present period; nothing tells apart what was asked with a key. */
export function spendingOf(
  { scope, organization_id, period_started_at, created_at }: Budget,
  now = Date.now(),
): SpendingQuery | undefined {
  if (scope.type === 'api_key') return undefined;
  const earliest = new Date(now - LONGEST_REPORT_MS).toISOString();
  const from = [created_at, period_started_at ?? '', earliest].sort().at(-1) ?? created_at;
  return {
    ...{ from, organization_id: String(organization_id) },
    ...(scope.type === 'organization' ? {} : { [FILTERS[scope.type]]: String(scope.id) }),
  };
}
