import { randomUUID } from 'node:crypto';
import type {
  Budget,
  BudgetFigures,
  BudgetPart,
  BudgetSettlement,
  BudgetStore,
} from '../core/budgets/budget.js';
import type { BudgetGrant, PlannedCall, RunBudget } from '../core/budgets/run-budget.js';
import {
  accountOf,
  type CallPlan,
  givenBackAt,
  type PriceOf,
  requirePrices,
  SHORTEST_ANSWER,
  spentBy,
  worstCase,
} from './amounts.js';
import { budgetSpent } from './spent.js';

export interface RunBudgetDeps {
  readonly budgets: Pick<BudgetStore, 'reserve' | 'figures'>;
  readonly priceOf: PriceOf;
  /** The organisation's bound, where it has one. */
  readonly mostTokens: number | undefined;
  /** By then whatever a run has set aside is given back. */
  readonly runTimeoutMs: number;
}

export interface SpendingRun {
  readonly runId: string;
  readonly userId: number;
  /** Asked for by another run, whose question has been counted already. */
  readonly isChild: boolean;
  /** Those on its way, one at least. */
  readonly budgets: readonly Budget[];
}

/** Where neither the client nor the organisation says how long an answer may be. */
const USUAL_ANSWER = 4_096;
/** Between reading what is left and setting it aside somebody else may have taken it. */
const ATTEMPTS = 4;

type Plan = Pick<CallPlan, 'answer' | 'keepsLastCall'>;

/** Sets aside the worst case of every call before it is made, and books the truth afterwards. */
export function createRunBudget(run: SpendingRun, deps: RunBudgetDeps): RunBudget {
  /** What is booked with the next statement. */
  const settled: BudgetSettlement[] = [];
  const open = new Map<string, readonly BudgetPart[]>();
  const inTurn = createTurns();
  let isCounted = run.isChild;
  let budgets = run.budgets;

  const partsFor = (call: PlannedCall, plan: Plan): readonly BudgetPart[] => {
    const at = new Date();
    return budgets.flatMap((budget) => {
      const amount = worstCase(budget, { ...plan, call, isQuestion: !isCounted }, deps.priceOf);
      return amount === 0 ? [] : [{ ...accountOf(budget, run.userId, at), amount }];
    });
  };

  const take = async (call: PlannedCall, plan: Plan): Promise<BudgetGrant | undefined> => {
    const id = randomUUID();
    const parts = partsFor(call, plan);
    const grant = { holdId: id, mostTokens: plan.answer, isLast: call.keepsLastCall && !plan.keepsLastCall };
    // Nothing of it counts for any of them, as with the later calls of a question.
    if (parts.length === 0) return grant;
    const expiresAt = givenBackAt(deps.runTimeoutMs);
    const booked = [...settled];
    if (!(await deps.budgets.reserve({ id, runId: run.runId, parts, expiresAt }, booked))) return undefined;
    settled.splice(0, booked.length);
    open.set(id, parts);
    isCounted = true;
    return grant;
  };

  const reserve = async (call: PlannedCall): Promise<BudgetGrant> => {
    requirePrices(run.budgets, call.models, deps.priceOf);
    const wanted = Math.min(call.mostTokens ?? USUAL_ANSWER, deps.mostTokens ?? Infinity);
    const least = { answer: Math.min(SHORTEST_ANSWER, wanted), keepsLastCall: false };
    let grant = await take(call, { answer: wanted, keepsLastCall: call.keepsLastCall });
    for (let attempt = 1; !grant; attempt++) {
      const needed = partsFor(call, least);
      const figures = afterSettling(await deps.budgets.figures(needed), settled);
      // One that was deleted meanwhile has nothing to say any more.
      const isGone = ({ id }: Budget) =>
        needed.some(({ budgetId }) => budgetId === id) && !figures.some(({ budgetId }) => budgetId === id);
      budgets = budgets.filter((budget) => !isGone(budget));
      const fits = (plan: Plan) => isWithin(partsFor(call, plan), figures);
      const plan = affordable(call, { wanted, least: least.answer }, fits);
      if (!plan || attempt === ATTEMPTS) throw budgetSpent(budgets, { figures, needed });
      grant = await take(call, plan);
    }
    return grant;
  };

  let ahead: { readonly call: PlannedCall; readonly grant: BudgetGrant } | undefined;
  return {
    async reserveAhead(call) {
      ahead = { call, grant: await inTurn(() => reserve(call)) };
    },

    reserve: (call) =>
      inTurn(async () => {
        const early = ahead;
        ahead = undefined;
        if (early && isCovered(call, early.call))
          return { ...early.grant, isLast: early.grant.isLast && call.keepsLastCall };
        if (early) {
          settled.push({ holdId: early.grant.holdId, parts: [], held: open.get(early.grant.holdId) ?? [] });
          open.delete(early.grant.holdId);
          isCounted = run.isChild;
        }
        return await reserve(call);
      }),

    settle({ holdId }, call) {
      const held = open.get(holdId);
      if (!held) return;
      open.delete(holdId);
      const parts = held.flatMap((part) => {
        const budget = run.budgets.find(({ id }) => id === part.budgetId);
        return budget ? [{ ...part, amount: spentBy(budget, call, deps.priceOf) }] : [];
      });
      settled.push({ holdId, parts, held });
      // The next one is the first that reaches a provider.
      if (!call.answered && !run.isChild && isHeldForQuestion(held, run.budgets)) isCounted = false;
    },

    takeSettlements() {
      // Of calls that were never begun.
      const unused = [...open].map(([holdId, held]) => ({ holdId, held, parts: [] }));
      open.clear();
      return [...settled.splice(0), ...unused];
    },
  };
}

/** Tools ask models at the same time: what is to be booked is taken along by one of them, and the question counted once. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** Whether what was set aside for one call is enough for the other. */
const isCovered = (call: PlannedCall, held: PlannedCall): boolean =>
  call.promptTokens <= held.promptTokens &&
  call.mostTokens === held.mostTokens &&
  (!call.keepsLastCall || held.keepsLastCall) &&
  call.models.every(({ connector, model }) =>
    held.models.some((one) => one.connector === connector && one.model === model),
  );

const isHeldForQuestion = (held: readonly BudgetPart[], budgets: readonly Budget[]) =>
  held.some(({ budgetId }) => budgets.some(({ id, unit }) => id === budgetId && unit === 'requests'));

/** The longest answer that fits; without a last call kept for later only when nothing else does. */
function affordable(
  { keepsLastCall }: PlannedCall,
  { wanted, least }: { readonly wanted: number; readonly least: number },
  fits: (plan: Plan) => boolean,
): Plan | undefined {
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

function isWithin(parts: readonly BudgetPart[], figures: readonly BudgetFigures[]): boolean {
  return parts.every((part) => {
    const found = figures.find(({ budgetId }) => budgetId === part.budgetId);
    return found === undefined || found.used + found.reserved + part.amount <= found.amount;
  });
}

/** As they will stand once this run's own earlier calls are booked. */
function afterSettling(
  figures: readonly BudgetFigures[],
  settled: readonly BudgetSettlement[],
): readonly BudgetFigures[] {
  const sum = (parts: readonly BudgetPart[], of: BudgetFigures) =>
    parts
      .filter(({ budgetId, periodStart }) => budgetId === of.budgetId && periodStart === of.periodStart)
      .reduce((total, { amount }) => total + amount, 0);
  return figures.map((one) => ({
    ...one,
    used:
      one.used +
      sum(
        settled.flatMap(({ parts }) => parts),
        one,
      ),
    reserved:
      one.reserved -
      sum(
        settled.flatMap(({ held }) => held),
        one,
      ),
  }));
}
