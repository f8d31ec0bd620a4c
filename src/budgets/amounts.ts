import type { Timestamp } from '../core/base/ids.js';
import {
  type Amounts,
  type Budget,
  type BudgetAccount,
  type BudgetUnit,
  COST_UNITS,
} from '../core/budgets/budget.js';
import { periodAt, type PeriodBounds } from '../core/budgets/period.js';
import type { FinishedCall, PlannedCall, PricedModel } from '../core/budgets/run-budget.js';
import { AppError } from '../core/errors.js';
import { safeLabel } from '../core/base/text.js';
import type { Usage } from '../core/runs/event.js';
import { costAt, type Price } from '../core/runs/prices.js';

export type PriceOf = (model: PricedModel) => Price | undefined;

/** In tokens. Nobody is made to answer in less than this: below it the budget counts as spent. */
export const SHORTEST_ANSWER = 256;

/** What a run with tools keeps for its last call, beside the prompt it has: what the tools said, and the answer. */
const LAST_CALL = { promptTokens: 1_024, answer: 1_024 };

export interface CallPlan {
  /** How long the answer may be, in tokens. */
  readonly answer: number;
  readonly keepsLastCall: boolean;
}

interface Counting {
  readonly units: ReadonlySet<BudgetUnit>;
  /** Whether it is the first call for a question of a person. */
  readonly isQuestion: boolean;
  readonly priceOf: PriceOf;
}

export const covers = (one: Amounts, other: Amounts): boolean =>
  one.tokens >= other.tokens && one.cost >= other.cost && one.requests >= other.requests;

/** What a call may take of its budgets at most. */
export function worstCase(
  call: PlannedCall,
  { answer, keepsLastCall }: CallPlan,
  { units, isQuestion, priceOf }: Counting,
): Amounts {
  const { promptTokens } = call;
  const kept = promptTokens + LAST_CALL.promptTokens + LAST_CALL.answer;
  return {
    tokens: units.has('tokens') ? promptTokens + answer + (keepsLastCall ? kept : 0) : 0,
    cost: units.has('cost') ? mostCost(call, { answer, keepsLastCall }, priceOf) : 0,
    requests: units.has('requests') && isQuestion ? 1 : 0,
  };
}

/** Whoever answers, and whatever they cost. */
function mostCost(
  { promptTokens, models }: PlannedCall,
  { answer, keepsLastCall }: CallPlan,
  priceOf: PriceOf,
) {
  const most = (usage: Usage) => Math.max(...models.map((model) => paidFor(usage, dearest(priceOf(model)))));
  return (
    most({ promptTokens, completionTokens: answer }) +
    (keepsLastCall
      ? most({ promptTokens: promptTokens + LAST_CALL.promptTokens, completionTokens: LAST_CALL.answer })
      : 0)
  );
}

/** Some charge more for what they keep of a prompt. */
const dearest = (price: Price | undefined): Price | undefined =>
  price && { prompt: Math.max(price.prompt, price.cached ?? 0), completion: price.completion };

/** The longest answer that fits; without a last call kept for later only when nothing else does. */
export function affordable(
  { keepsLastCall }: PlannedCall,
  { wanted, least }: { readonly wanted: number; readonly least: number },
  fits: (plan: CallPlan) => boolean,
): CallPlan | undefined {
  const keeps = [...new Set([keepsLastCall, false])].find((keep) =>
    fits({ answer: least, keepsLastCall: keep }),
  );
  if (keeps === undefined) return undefined;
  let [low, high] = [least, wanted];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits({ answer: middle, keepsLastCall: keeps })) low = middle;
    else high = middle - 1;
  }
  return { answer: low, keepsLastCall: keeps };
}

/** What a call came to, of that which counted when it was planned. */
export const spentOn = (
  planned: Amounts,
  { usage, model, answered }: FinishedCall,
  priceOf: PriceOf,
): Amounts => ({
  tokens: planned.tokens > 0 ? usage.promptTokens + usage.completionTokens : 0,
  cost: planned.cost > 0 ? paidFor(usage, priceOf(model)) : 0,
  requests: planned.requests > 0 && answered ? 1 : 0,
});

const paidFor = (usage: Usage, price: Price | undefined): number => (price ? countedCost(price, usage) : 0);

/** In `COST_UNITS`, rounded up: what is counted is never less than what is paid. */
export const countedCost = (price: Price, usage: Usage): number =>
  // To a thousandth first: what a division leaves behind the comma is not paid.
  Math.ceil(Number((costAt(price, usage) * COST_UNITS).toFixed(3)));

/** Under a budget of money nothing is asked whose cost nobody knows. */
export function requirePrices(
  budgets: readonly Budget[],
  models: readonly PricedModel[],
  priceOf: PriceOf,
): void {
  if (!budgets.some(({ unit }) => unit === 'cost')) return;
  const missing = models.find((model) => priceOf(model) === undefined);
  if (!missing) return;
  const name = safeLabel(`${missing.connector}/${missing.model}`);
  throw new AppError(
    `A budget of money applies here, and no price is set for the model "${name}". An administrator of the organisation can set it under prices.`,
    { status: 422, type: 'invalid_request_error', code: 'price_missing', param: 'model' },
  );
}

/** A run whose time is up still has to be written down: what it holds is not given to others meanwhile. */
const WRITING_SHARE = 0.1;
const LONGEST_WRITING_MS = 15_000;

/** When what a run sets aside now is given back, if nothing is heard of it any more. */
export const givenBackAt = (runTimeoutMs: number): Timestamp =>
  new Date(
    Date.now() + runTimeoutMs + Math.min(runTimeoutMs * WRITING_SHARE, LONGEST_WRITING_MS),
  ).toISOString();

interface KnownPeriod extends PeriodBounds {
  readonly fromMs: number;
  readonly toMs: number;
}

const periods = new WeakMap<Budget, KnownPeriod>();

/** Kept until it is over: to ask a calendar costs more than to book. */
export function currentPeriod(budget: Budget, at: Date): KnownPeriod {
  const kept = periods.get(budget);
  const now = at.getTime();
  if (kept && now >= kept.fromMs && now < kept.toMs) return kept;
  const { start, end } = periodAt(at, budget.period, budget.timezone);
  const toMs = end === undefined ? Infinity : Date.parse(end);
  const found = { start, end, fromMs: Date.parse(start), toMs };
  periods.set(budget, found);
  return found;
}

/** Where it is booked now. */
export function accountOf(budget: Budget, userId: number, at: Date): BudgetAccount {
  return {
    budgetId: budget.id,
    userId: budget.scope.each ? userId : 0,
    periodStart: currentPeriod(budget, at).start,
  };
}
