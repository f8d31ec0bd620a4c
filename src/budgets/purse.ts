import { memoizeByObject } from '../core/base/memo.js';
import type { Amounts, Budget, BudgetPart, BudgetUnit, CountedAccount } from '../core/budgets/budget.js';
import { accountOf, currentPeriod } from './amounts.js';

/** Budgets that are spent together, in the periods that are now. A call takes as much of all those that count in one unit. */
export interface Purse {
  readonly key: string;
  readonly budgets: readonly Budget[];
  /** Of each of them, where it is booked. */
  readonly accounts: readonly CountedAccount[];
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
  const { ids, isOfPerson } = namesOf(budgets);
  return isOfPerson ? `${ids} ${String(userId)}` : ids;
}

/** Once for each list of budgets, and not for each call that spends of it. */
const namesOf = memoizeByObject((budgets: readonly Budget[]) => ({
  ids: budgets.map(({ id }) => id).join(' '),
  isOfPerson: budgets.some(({ scope }) => scope.each),
}));

/** A budget that was changed is another one: it may have become less. */
export const isOf = (purse: Purse, budgets: readonly Budget[]): boolean =>
  purse.budgets === budgets || purse.budgets.every((budget, i) => budget === budgets[i]);

/** What these amounts are of each account, of those that anything counts for. */
export const partsOf = ({ accounts }: Purse, amounts: Amounts): BudgetPart[] =>
  accounts
    .filter(({ unit }) => amounts[unit] > 0)
    .map(({ unit, ...account }) => ({ ...account, amount: amounts[unit] }));
