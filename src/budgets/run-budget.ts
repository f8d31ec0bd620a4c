import type {
  Budget,
  BudgetFigures,
  BudgetPart,
  BudgetScopeType,
  BudgetSettlement,
  BudgetStore,
} from '../core/budgets/budget.js';
import type { BudgetGrant, PlannedCall, RunBudget } from '../core/budgets/run-budget.js';
import {
  type Amounts,
  type CallPlan as Plan,
  covers,
  NOTHING,
  type PriceOf,
  requirePrices,
  SHORTEST_ANSWER,
  spentOn,
  worstCase,
} from './amounts.js';
import { type Blocks, bookPart, type PlannedHold, settlePart } from './blocks.js';
import { createPurse, partsOf, type Purse } from './purse.js';
import { budgetSpent, refusedBy } from './spent.js';

export interface RunBudgetDeps {
  readonly budgets: Pick<BudgetStore, 'figures'>;
  readonly blocks: Blocks;
  readonly priceOf: PriceOf;
  /** The organisation's bound, where it has one. */
  readonly mostTokens: number | undefined;
  /** A question is refused because a budget of this kind is spent. */
  readonly refused: (scope: BudgetScopeType) => void;
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

/** What was set aside for one call, and what it came to. */
interface Held extends BudgetGrant, PlannedHold {
  isLast: boolean;
  spent: Amounts | undefined;
}

/** Sets aside the worst case of every call before it is made, and books the truth afterwards. */
export function createRunBudget(run: SpendingRun, deps: RunBudgetDeps): RunBudget {
  /** What is booked with the next statement. */
  const settled: BudgetSettlement[] = [];
  const open: Held[] = [];
  /** Of blocks, booked with the record of the run and by nothing else: a record is written once, and so nothing is booked twice. */
  let owed: Held[] = [];
  let taken: readonly Held[] = [];
  let ahead: { readonly call: PlannedCall; readonly held: Held } | undefined;
  let isCounted = run.isChild;
  let budgets = run.budgets;

  const needOf = ({ units }: Purse, call: PlannedCall, plan: Plan): Amounts =>
    worstCase(call, plan, { units, isQuestion: !isCounted, priceOf: deps.priceOf });

  const planned = (call: PlannedCall, plan: Plan): Held => {
    const purse = deps.blocks.begin(budgets, run.userId);
    return {
      mostTokens: plan.answer,
      isLast: call.keepsLastCall && !plan.keepsLastCall,
      runId: run.runId,
      purse,
      amounts: needOf(purse, call, plan),
      id: undefined,
      block: undefined,
      drawn: NOTHING,
      spent: undefined,
    };
  };
  const granted = (held: Held): Held => {
    open.push(held);
    isCounted = true;
    return held;
  };
  /** Undefined where that takes a statement, or somebody else's. */
  const takeAtOnce = (held: Held): Held | undefined => {
    // Nothing of it counts for any of them, as with the later calls of a question.
    if (covers(NOTHING, held.amounts)) {
      deps.blocks.end(held);
      return held;
    }
    return deps.blocks.take(held) ? granted(held) : undefined;
  };
  const take = async (held: Held): Promise<Held | undefined> => {
    let isHeld = false;
    try {
      isHeld = (await deps.blocks.takeAwaited(held)) || (await setAside(held));
      return isHeld ? granted(held) : undefined;
    } finally {
      if (!isHeld) deps.blocks.end(held);
    }
  };
  const setAside = async (held: Held): Promise<boolean> => {
    const booked = [...settled];
    if (!(await deps.blocks.reserve(held, booked))) return false;
    settled.splice(0, booked.length);
    return true;
  };

  /** A call came to this, or was never made. */
  const settleCall = (held: Held, spent?: Amounts) => {
    const at = open.indexOf(held);
    if (at < 0) return;
    open.splice(at, 1);
    const { purse, amounts, id, block } = held;
    deps.blocks.end(held);
    if (block) {
      settlePart(held, spent ?? NOTHING);
      held.spent = spent;
      if (spent) owed.push(held);
      else bookPart(held);
    } else {
      const parts = spent ? partsOf(purse, spent, amounts) : NONE;
      settled.push({ holdId: id, parts, held: partsOf(purse, amounts) });
    }
  };

  const reserve = (call: PlannedCall): Held | Promise<Held> => {
    requirePrices(run.budgets, call.models, deps.priceOf);
    const wanted = Math.min(call.mostTokens ?? USUAL_ANSWER, deps.mostTokens ?? Infinity);
    const held = planned(call, { answer: wanted, keepsLastCall: call.keepsLastCall });
    return takeAtOnce(held) ?? reserveWaiting(call, wanted, held);
  };
  const reserveWaiting = async (call: PlannedCall, wanted: number, first: Held): Promise<Held> => {
    const least = { answer: Math.min(SHORTEST_ANSWER, wanted), keepsLastCall: false };
    let held = await take(first);
    for (let attempt = 1; !held; attempt++) {
      const purse = createPurse(budgets, run.userId);
      const needed = partsOf(purse, needOf(purse, call, least));
      const figures = afterSettling(await deps.budgets.figures(needed), settled);
      // One that was deleted meanwhile has nothing to say any more.
      const isGone = ({ id }: Budget) =>
        needed.some(({ budgetId }) => budgetId === id) && !figures.some(({ budgetId }) => budgetId === id);
      budgets = budgets.filter((budget) => !isGone(budget));
      const fits = (plan: Plan) => isWithin(partsOf(purse, needOf(purse, call, plan)), figures);
      const plan = affordable(call, { wanted, least: least.answer }, fits);
      if (!plan || attempt === ATTEMPTS) throw budgetSpent(budgets, { figures, needed });
      const next = planned(call, plan);
      held = takeAtOnce(next) ?? (await take(next));
    }
    return held;
  };

  /** Tools ask models at the same time: what is to be booked is taken along by one of them, and the question counted once. */
  let turn: Promise<unknown> | undefined;
  const inTurn = (call: PlannedCall): Held | Promise<Held> => {
    const mine = turn ? turn.then(() => reserve(call)) : reserve(call);
    if (!(mine instanceof Promise)) return mine;
    const over = mine
      .catch(() => undefined)
      .then(() => {
        if (turn === over) turn = undefined;
      });
    turn = over;
    return mine;
  };

  return {
    reserveAhead(call) {
      const keep = (held: Held) => {
        ahead = { call, held };
      };
      // Nothing else of the run has begun.
      const held = reserve(call);
      if (!(held instanceof Promise)) {
        keep(held);
        return undefined;
      }
      return held.then(keep, (fault: unknown) => {
        const scope = refusedBy(fault);
        if (scope) deps.refused(scope);
        throw fault;
      });
    },

    reserve(call) {
      if (!ahead) return inTurn(call);
      const { call: early, held } = ahead;
      ahead = undefined;
      if (isCovered(call, early)) {
        held.isLast &&= call.keepsLastCall;
        return held;
      }
      settleCall(held);
      isCounted = run.isChild;
      return inTurn(call);
    },

    settle(grant, call) {
      const held = open.find((one) => one === grant);
      if (!held) return;
      settleCall(held, spentOn(held.purse.units, call, deps.priceOf));
      // The next one is the first that reaches a provider.
      if (!call.answered && !run.isChild && held.amounts.requests > 0) isCounted = false;
    },

    takeSettlements() {
      // Of calls that were never begun.
      for (const held of [...open]) settleCall(held);
      taken = owed;
      owed = [];
      const settlements = settled.splice(0);
      for (const { purse, amounts, spent = NOTHING } of taken)
        settlements.push({ holdId: undefined, held: NONE, parts: partsOf(purse, spent, amounts) });
      return settlements;
    },

    booked() {
      for (const held of taken) bookPart(held);
      taken = [];
    },
  };
}

const NONE: readonly BudgetPart[] = [];

/** Whether what was set aside for one call is enough for the other. */
const isCovered = (call: PlannedCall, held: PlannedCall): boolean =>
  call.promptTokens <= held.promptTokens &&
  call.mostTokens === held.mostTokens &&
  (!call.keepsLastCall || held.keepsLastCall) &&
  call.models.every(({ connector, model }) =>
    held.models.some((one) => one.connector === connector && one.model === model),
  );

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
