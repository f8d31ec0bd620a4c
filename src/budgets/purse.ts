import type { Budget, BudgetAccount, BudgetPart, BudgetUnit } from '../core/budgets/budget.js';
import { accountOf, type Amounts, currentPeriod } from './amounts.js';

/** Budgets that are spent together, in the periods that are now. A call takes as much of all those that count in one unit. */
export interface Purse {
  readonly key: string;
  readonly budgets: readonly Budget[];
  /** Of each of them, where it is booked. */
  readonly accounts: readonly (BudgetAccount & Pick<Budget, 'unit'>)[];
  readonly units: ReadonlySet<BudgetUnit>;
  /** In milliseconds: then the first of the periods is over. */
  readonly until: number;
}

export function createPurse(
  budgets: readonly Budget[],
  userId: number,
  key = purseKey(budgets, userId),
): Purse {
  const at = new Date();
  return {
    key,
    budgets,
    accounts: budgets.map((budget) => ({ ...accountOf(budget, userId, at), unit: budget.unit })),
    units: new Set(budgets.map(({ unit }) => unit)),
    until: Math.min(...budgets.map((budget) => currentPeriod(budget, at).toMs)),
  };
}

/** The same for all who spend the same accounts, in whatever periods. */
export function purseKey(budgets: readonly Budget[], userId: number): string {
  let ids = '';
  let person = 0;
  for (const { id, scope } of budgets) {
    ids += `${id} `;
    if (scope.each) person = userId;
  }
  return ids + String(person);
}

/** A budget that was changed is another one: it may have become less. */
export const isOf = (purse: Purse, budgets: readonly Budget[]): boolean =>
  purse.budgets.every((budget, i) => budget === budgets[i]);

/** What these amounts are of each account, of those that anything counts for. */
export function partsOf({ accounts }: Purse, amounts: Amounts, counted = amounts): BudgetPart[] {
  const parts: BudgetPart[] = [];
  for (const { budgetId, userId, periodStart, unit } of accounts) {
    // Written out: these are made for each budget at each call.
    if (counted[unit] > 0) parts.push({ budgetId, userId, periodStart, amount: amounts[unit] });
  }
  return parts;
}
