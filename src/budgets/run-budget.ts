import { randomUUID } from 'node:crypto';
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
  type CallPlan,
  covers,
  NOTHING,
  type PriceOf,
  requirePrices,
  SHORTEST_ANSWER,
  spentOn,
  worstCase,
} from './amounts.js';
import { type BlockPart, type Blocks, bookPart, type PlannedHold, settlePart } from './blocks.js';
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

interface Held {
  readonly hold: PlannedHold;
  /** Where it was taken from, unless it was set aside for this call alone. */
  readonly ofBlock: BlockPart | undefined;
}

interface Owed {
  readonly hold: PlannedHold;
  readonly ofBlock: BlockPart;
  readonly spent: Amounts;
}

type Plan = Pick<CallPlan, 'answer' | 'keepsLastCall'>;

/** Sets aside the worst case of every call before it is made, and books the truth afterwards. */
export function createRunBudget(run: SpendingRun, deps: RunBudgetDeps): RunBudget {
  /** What is booked with the next statement. */
  const settled: BudgetSettlement[] = [];
  const open = new Map<string, Held>();
  /** Of blocks, booked with the record of the run and by nothing else: a record is written once, and so nothing is booked twice. */
  let owed: Owed[] = [];
  let taken: readonly Owed[] = [];
  const inTurn = createTurns();
  let isCounted = run.isChild;
  let budgets = run.budgets;

  const needOf = ({ units }: Purse, call: PlannedCall, { answer, keepsLastCall }: Plan): Amounts =>
    worstCase(units, { call, answer, keepsLastCall, isQuestion: !isCounted }, deps.priceOf);

  const take = async (call: PlannedCall, plan: Plan): Promise<BudgetGrant | undefined> => {
    const id = randomUUID();
    const grant = { holdId: id, mostTokens: plan.answer, isLast: call.keepsLastCall && !plan.keepsLastCall };
    const purse = deps.blocks.begin(budgets, run.userId);
    const hold = { id, runId: run.runId, purse, amounts: needOf(purse, call, plan) };
    let isHeld = false;
    try {
      // Nothing of it counts for any of them, as with the later calls of a question.
      if (covers(NOTHING, hold.amounts)) return grant;
      const ofBlock = deps.blocks.take(hold) ?? (await deps.blocks.takeAwaited(hold));
      isHeld = ofBlock !== undefined || (await setAside(hold));
      if (!isHeld) return undefined;
      open.set(id, { hold, ofBlock });
      isCounted = true;
      return grant;
    } finally {
      if (!isHeld) deps.blocks.end(hold);
    }
  };

  const setAside = async (hold: PlannedHold): Promise<boolean> => {
    const booked = [...settled];
    if (!(await deps.blocks.reserve(hold, booked))) return false;
    settled.splice(0, booked.length);
    return true;
  };

  /** A call came to this, or was never made. */
  const settleCall = (holdId: string, spent?: Amounts) => {
    const held = open.get(holdId);
    if (!held) return;
    const { hold, ofBlock } = held;
    open.delete(holdId);
    deps.blocks.end(hold);
    if (ofBlock) {
      settlePart(ofBlock, spent ?? NOTHING);
      if (spent) owed.push({ hold, ofBlock, spent });
      else bookPart(ofBlock);
    } else
      settled.push({
        holdId,
        parts: spent ? partsSpent(hold, spent) : NONE,
        held: partsOf(hold.purse, hold.amounts),
      });
  };

  const reserve = async (call: PlannedCall): Promise<BudgetGrant> => {
    requirePrices(run.budgets, call.models, deps.priceOf);
    const wanted = Math.min(call.mostTokens ?? USUAL_ANSWER, deps.mostTokens ?? Infinity);
    const least = { answer: Math.min(SHORTEST_ANSWER, wanted), keepsLastCall: false };
    let grant = await take(call, { answer: wanted, keepsLastCall: call.keepsLastCall });
    for (let attempt = 1; !grant; attempt++) {
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
      grant = await take(call, plan);
    }
    return grant;
  };

  let ahead: { readonly call: PlannedCall; readonly grant: BudgetGrant } | undefined;
  return {
    async reserveAhead(call) {
      try {
        // Nothing else of the run has begun.
        ahead = { call, grant: await reserve(call) };
      } catch (fault) {
        const scope = refusedBy(fault);
        if (scope) deps.refused(scope);
        throw fault;
      }
    },

    async reserve(call) {
      const early = ahead;
      ahead = undefined;
      if (early && isCovered(call, early.call))
        return { ...early.grant, isLast: early.grant.isLast && call.keepsLastCall };
      if (early) {
        settleCall(early.grant.holdId);
        isCounted = run.isChild;
      }
      return await inTurn(() => reserve(call));
    },

    settle({ holdId }, call) {
      const held = open.get(holdId);
      if (!held) return;
      settleCall(holdId, spentOn(held.hold.purse.units, call, deps.priceOf));
      // The next one is the first that reaches a provider.
      if (!call.answered && !run.isChild && held.hold.amounts.requests > 0) isCounted = false;
    },

    takeSettlements() {
      // Of calls that were never begun.
      for (const holdId of open.keys()) settleCall(holdId);
      taken = owed;
      owed = [];
      const settlements = settled.splice(0);
      for (const { hold, spent } of taken)
        settlements.push({ holdId: undefined, held: NONE, parts: partsSpent(hold, spent) });
      return settlements;
    },

    booked() {
      for (const { ofBlock } of taken) bookPart(ofBlock);
      taken = [];
    },
  };
}

const NONE: readonly BudgetPart[] = [];

/** Of all that was set aside for, and of nothing else. */
const partsSpent = ({ purse, amounts }: PlannedHold, spent: Amounts) => partsOf(purse, spent, amounts);

/** Tools ask models at the same time: what is to be booked is taken along by one of them, and the question counted once. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> | undefined;
  return (work) => {
    const mine = last ? last.then(work) : work();
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
