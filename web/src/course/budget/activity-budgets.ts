import type {
  Budget,
  BudgetBound,
  BudgetBounds,
  BudgetPage,
  BudgetPeriod,
  BudgetUnit,
} from '../../../../src/http/contract/budgets.ts';
import type { Api } from '../../api/api.ts';
import type { Messages } from '../../i18n/en.ts';

export const PERIODS = ['day', 'week', 'month', 'total'] as const satisfies readonly BudgetPeriod[];

/** What is set for one activity, and what stands above it. */
export interface ActivityBudgets extends BudgetBounds {
  readonly budgets: readonly Budget[];
}

/** As it is typed. */
export interface BudgetDraft {
  readonly each: boolean;
  readonly unit: BudgetUnit;
  readonly amount: string;
  readonly period: BudgetPeriod;
  readonly timezone: string;
}

export type BudgetApi = ReturnType<typeof createBudgetApi>;

const BUDGETS = '/lamb/v1/budgets';

export function createBudgetApi(api: Api, activityId: number) {
  return {
    async list(): Promise<ActivityBudgets> {
      const { data, above = [], currency = null } = await api.get<BudgetPage>(BUDGETS);
      return { budgets: data, above, currency };
    },
    make: ({ each, unit, ...draft }: BudgetDraft) =>
      api.send<Budget>('POST', BUDGETS, {
        ...{ scope: { type: 'activity', id: activityId, each }, unit },
        ...settableOf(draft),
      }),
    change: (id: string, draft: BudgetDraft) =>
      api.send<Budget>('PATCH', `${BUDGETS}/${encodeURIComponent(id)}`, settableOf(draft)),
    remove: (id: string) => api.send('DELETE', `${BUDGETS}/${encodeURIComponent(id)}`),
  };
}

const settableOf = ({ amount, period, timezone }: Pick<BudgetDraft, 'amount' | 'period' | 'timezone'>) => ({
  ...{ amount: amountIn(amount), period },
  // What never begins anew needs no clock.
  ...(period === 'total' ? {} : { timezone: timezone.trim() }),
});

/** Where days begin unless somebody says otherwise. */
const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

export function draftOf(budget?: Budget): BudgetDraft {
  if (!budget) return { each: true, unit: 'requests', amount: '', period: 'day', timezone: browserZone() };
  const { scope, unit, amount, period, timezone } = budget;
  return { each: scope.each ?? false, unit, amount: String(amount), period, timezone };
}

/** Some write a comma before the cents. */
export const amountIn = (text: string): number => Number(text.trim().replace(',', '.') || Number.NaN);

export type BudgetProblem = 'amount' | 'timezone';

export function problemsIn({ amount, unit, period, timezone }: BudgetDraft): readonly BudgetProblem[] {
  const number = amountIn(amount);
  const isRight = number > 0 && (unit === 'cost' ? Number.isFinite(number) : Number.isSafeInteger(number));
  const hasZone = period === 'total' || isZone(timezone);
  return [...(isRight ? [] : (['amount'] as const)), ...(hasZone ? [] : (['timezone'] as const))];
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name.trim() }).format(0) !== '';
  } catch {
    return false;
  }
}

/** As much of the words of a page as it takes. */
interface InWords {
  readonly t: Pick<Messages, 'activityBudget'>;
  number(value: number): string;
  money(amount: number, currency: string): string;
}

/** `20 questions`, `€5.00`. */
export function amountText(amount: number, unit: BudgetUnit, currency: string, i18n: InWords): string {
  return unit === 'cost'
    ? i18n.money(amount, currency)
    : i18n.t.activityBudget.amounts[unit](amount, i18n.number(amount));
}

/** `20 questions a day for every participant`. */
export function budgetText(
  { scope, unit, amount, period }: BudgetBound,
  currency: string,
  i18n: InWords,
): string {
  const t = i18n.t.activityBudget;
  const whom = scope.each ? t.forEach : t.forAll;
  return [amountText(amount, unit, currency, i18n), t.per[period], whom].join(' ');
}
