import type {
  Budget,
  BudgetFigures,
  BudgetScope,
  BudgetUnit,
} from '../../../../src/http/contract/budgets.ts';
import type { I18n } from '../../i18n/i18n.svelte.ts';
import type { Messages } from '../../i18n/en.ts';

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
export const titleOf = (
  budget: Named & Pick<Budget, 'unit' | 'amount' | 'period' | 'currency'>,
  i18n: I18n,
): string => {
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
