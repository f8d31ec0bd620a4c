import type {
  Budget,
  BudgetFigures,
  BudgetScope,
  BudgetScopeType,
  BudgetUnit,
} from '../../../../src/http/contract/budgets.ts';
import type { I18n } from '../../i18n/i18n.svelte.ts';
import type { Messages } from '../../i18n/en.ts';
import type { Measure } from '../../usage/amount.ts';
import { SCOPE_TYPES } from './budget-draft.ts';

type Words = Messages['admin']['budgets'];
type Named = { readonly scope: BudgetScope & { readonly name: string } };
/** What an amount is counted in. */
export interface Counted {
  readonly unit: BudgetUnit;
  readonly currency?: string;
}

export function nameOf({ scope: { type, name } }: Named, t: Words): string {
  if (name === '') return t.gone;
  return type === 'api_key' ? t.keyOf(name) : name;
}

/** Whose it is, as words behind or before "the budget". */
export const ownerOf = ({ scope: { type, name } }: Named, t: Words): string => t.of[type](name || t.gone);

/** With its unit: `20 questions`, `€5.00`. */
export function amountText(amount: number, { unit, currency = '' }: Counted, i18n: I18n): string {
  if (unit === 'cost') return i18n.money(amount, currency);
  return i18n.t.admin.budgets[unit](amount, i18n.number(amount));
}

/** How much there is and how often: `20 questions each day`. */
export const sizeOf = (budget: Pick<Budget, 'unit' | 'amount' | 'period' | 'currency'>, i18n: I18n): string =>
  `${amountText(budget.amount, budget, i18n)} ${i18n.t.admin.budgets.periods[budget.period]}`;

/** All that tells it from others: whose it is, how much and how often. */
export const titleOf = (budget: Budget, i18n: I18n): string => {
  const t = i18n.t.admin.budgets;
  return `${t.budgetOf(ownerOf(budget, t))}: ${sizeOf(budget, i18n)}`;
};

/** Without its unit, where the whole beside it has one; money always has its own. */
export const bareAmount = (amount: number, counted: Counted, i18n: I18n): string =>
  counted.unit === 'cost' ? amountText(amount, counted, i18n) : i18n.number(amount);

export function leftText(
  budget: Counted & Pick<BudgetFigures, 'remaining'> & { readonly amount: number },
  i18n: I18n,
) {
  return i18n.t.admin.budgets.left(
    budget.remaining,
    bareAmount(budget.remaining, budget, i18n),
    amountText(budget.amount, budget, i18n),
  );
}

export function resetText(resetsAt: string | null, i18n: I18n): string {
  const t = i18n.t.admin.budgets;
  return resetsAt === null ? t.neverFull : t.fullAgain(i18n.date(resetsAt));
}

export type BudgetState = keyof Words['states'];

/** From this share on it is nearly used up. */
const LOW = 0.8;

/** What is to be known about it at a glance, if anything. */
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
export const MEASURE_OF: Readonly<Record<BudgetUnit, Measure>> = {
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
