import {
  type Budget,
  BUDGET_SCOPES,
  type BudgetFigures,
  type BudgetPart,
  type BudgetScopeType,
} from '../core/budgets/budget.js';
import { AppError } from '../core/errors.js';
import { currentPeriod } from './amounts.js';

const WHOSE: Readonly<Record<BudgetScopeType, string>> = {
  organization: 'of this organisation',
  course: 'of this course',
  activity: 'of this activity',
  user: 'that is yours',
  api_key: 'of this key',
  assistant: 'of this assistant',
};

const CODE = 'budget_exceeded';

/** When only what others have set aside is in the way, it is soon over. */
const SOON_SECONDS = 5;

/** 429, with whose budget it is and when it is back. */
export function budgetSpent(
  budgets: readonly Budget[],
  { figures, needed }: { readonly figures: readonly BudgetFigures[]; readonly needed: readonly BudgetPart[] },
): AppError {
  const at = new Date();
  const blocking = needed
    .map((part) => ({ part, figure: figures.find(({ budgetId }) => budgetId === part.budgetId) }))
    .filter(({ part, figure }) => figure && figure.used + figure.reserved + part.amount > figure.amount);
  // What is spent outlasts what is only set aside.
  const worst =
    blocking.find(({ part, figure }) => figure && figure.used + part.amount > figure.amount) ?? blocking[0];
  const budget = budgets.find(({ id }) => id === worst?.part.budgetId) ?? budgets[0];
  const isSpent = worst?.figure !== undefined && worst.figure.used + worst.part.amount > worst.figure.amount;
  const end = budget && currentPeriod(budget, at).end;
  return new AppError(sentence(budget, isSpent, end), {
    ...{ status: 429, type: 'insufficient_quota', code: CODE, param: budget && paramOf(budget) },
    retryAfterSeconds: isSpent ? secondsTo(end, at) : SOON_SECONDS,
  });
}

/** Whose budget refused, of a fault that `budgetSpent` made. */
export function refusedBy(fault: unknown): BudgetScopeType | undefined {
  if (!(fault instanceof AppError) || fault.code !== CODE) return undefined;
  return BUDGET_SCOPES.find((type) => fault.param?.split('.')[0] === type);
}

/** For those who have words of their own for whose it is. */
const paramOf = ({ scope: { type, each } }: Budget) => (each ? `${type}.each` : type);

function sentence(budget: Budget | undefined, isSpent: boolean, end: string | undefined): string {
  const whose = budget ? ` ${budget.scope.each ? 'that is yours here' : WHOSE[budget.scope.type]}` : '';
  if (!isSpent)
    return `The budget${whose} is set aside for questions that are being answered. Try again in a moment.`;
  if (!budget || end === undefined)
    return `The budget${whose} is spent. Whoever looks after it can raise it.`;
  return `The budget${whose} is spent for now. It is back on ${inZone(end, budget.timezone)}.`;
}

const secondsTo = (end: string | undefined, at: Date) =>
  end === undefined ? undefined : Math.max(1, Math.ceil((Date.parse(end) - at.getTime()) / 1000));

function inZone(end: string, timezone: string): string {
  const text = new Date(end).toLocaleString('sv-SE', {
    timeZone: timezone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
  return `${text} (${timezone})`;
}
