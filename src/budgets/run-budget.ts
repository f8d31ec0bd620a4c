import {
  type Amounts,
  type Budget,
  type BudgetFigures,
  type BudgetPart,
  type BudgetScopeType,
  type BudgetSettlement,
  type BudgetStore,
  NOTHING,
} from '../core/budgets/budget.js';
import type { BudgetGrant, FinishedCall, PlannedCall, RunBudget } from '../core/budgets/run-budget.js';
import {
  affordable,
  type CallPlan as Plan,
  covers,
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

export const createRunBudget = (run: SpendingRun, deps: RunBudgetDeps): RunBudget =>
  new CallsOfRun(run, deps);

/**
 * Sets aside the worst case of every call before it is made, and books the truth afterwards. A class: there is one for each
 * run, and fifteen functions of its own would have to be kept for as long as its answer takes.
 */
class CallsOfRun implements RunBudget {
  readonly #run: SpendingRun;
  readonly #deps: RunBudgetDeps;
  /** What is booked with the next statement. */
  readonly #settled: BudgetSettlement[] = [];
  readonly #open: Held[] = [];
  /** Of blocks, booked with the record of the run and by nothing else: a record is written once, and so nothing is booked twice. */
  #owed: Held[] = [];
  #taken: readonly Held[] = [];
  #ahead: { readonly call: PlannedCall; readonly held: Held } | undefined;
  #isCounted: boolean;
  #budgets: readonly Budget[];
  /** Tools ask models at the same time: what is to be booked is taken along by one of them, and the question counted once. */
  #turn: Promise<unknown> | undefined;

  constructor(run: SpendingRun, deps: RunBudgetDeps) {
    this.#run = run;
    this.#deps = deps;
    this.#isCounted = run.isChild;
    this.#budgets = run.budgets;
  }

  reserveAhead(call: PlannedCall): Promise<void> | undefined {
    // Nothing else of the run has begun.
    const held = this.#reserveNow(call);
    if (!(held instanceof Promise)) {
      this.#ahead = { call, held };
      return undefined;
    }
    return this.#keepWhenHeld(call, held);
  }

  reserve(call: PlannedCall): Held | Promise<Held> {
    if (!this.#ahead) return this.#inTurn(call);
    const { call: early, held } = this.#ahead;
    this.#ahead = undefined;
    if (isCovered(call, early)) {
      held.isLast &&= call.keepsLastCall;
      return held;
    }
    this.#settleCall(held);
    this.#isCounted = this.#run.isChild;
    return this.#inTurn(call);
  }

  settle(grant: BudgetGrant, call: FinishedCall): void {
    const held = this.#open[this.#open.indexOf(grant as Held)];
    if (!held) return;
    this.#settleCall(held, spentOn(held.amounts, call, this.#deps.priceOf));
    // The next one is the first that reaches a provider.
    if (!call.answered && !this.#run.isChild && held.amounts.requests > 0) this.#isCounted = false;
  }

  takeSettlements(): readonly BudgetSettlement[] {
    // Of calls that were never begun.
    while (this.#open[0]) this.#settleCall(this.#open[0]);
    this.#taken = this.#owed;
    this.#owed = [];
    const settlements = this.#settled.splice(0);
    for (const { purse, spent = NOTHING } of this.#taken)
      settlements.push({ holdId: undefined, accounts: purse.accounts, held: NOTHING, spent });
    return settlements;
  }

  booked(): void {
    for (const held of this.#taken) bookPart(held);
    this.#taken = [];
  }

  async #keepWhenHeld(call: PlannedCall, holding: Promise<Held>): Promise<void> {
    try {
      this.#ahead = { call, held: await holding };
    } catch (fault) {
      const scope = refusedBy(fault);
      if (scope) this.#deps.refused(scope);
      throw fault;
    }
  }

  #inTurn(call: PlannedCall): Held | Promise<Held> {
    const mine = this.#turn ? this.#turn.then(() => this.#reserveNow(call)) : this.#reserveNow(call);
    if (!(mine instanceof Promise)) return mine;
    const over = mine
      .catch(() => undefined)
      .then(() => {
        if (this.#turn === over) this.#turn = undefined;
      });
    this.#turn = over;
    return mine;
  }

  #reserveNow(call: PlannedCall): Held | Promise<Held> {
    const { priceOf, mostTokens = Infinity } = this.#deps;
    requirePrices(this.#run.budgets, call.models, priceOf);
    const wanted = Math.min(call.mostTokens ?? USUAL_ANSWER, mostTokens);
    const held = this.#planned(call, { answer: wanted, keepsLastCall: call.keepsLastCall });
    return this.#takeAtOnce(held) ?? this.#reserveWaiting(call, wanted, held);
  }

  async #reserveWaiting(call: PlannedCall, wanted: number, first: Held): Promise<Held> {
    const least = { answer: Math.min(SHORTEST_ANSWER, wanted), keepsLastCall: false };
    let held = await this.#take(first);
    for (let attempt = 1; !held; attempt++) {
      const purse = createPurse(this.#budgets, this.#run.userId);
      const needed = partsOf(purse, this.#needOf(purse, call, least));
      const figures = afterSettling(await this.#deps.budgets.figures(needed), this.#settled);
      // One that was deleted meanwhile has nothing to say any more.
      const isGone = ({ id }: Budget) =>
        needed.some(({ budgetId }) => budgetId === id) && !figures.some(({ budgetId }) => budgetId === id);
      this.#budgets = this.#budgets.filter((budget) => !isGone(budget));
      const fits = (plan: Plan) => isWithin(partsOf(purse, this.#needOf(purse, call, plan)), figures);
      const plan = affordable(call, { wanted, least: least.answer }, fits);
      if (!plan || attempt === ATTEMPTS) throw budgetSpent(this.#budgets, { figures, needed });
      const next = this.#planned(call, plan);
      held = this.#takeAtOnce(next) ?? (await this.#take(next));
    }
    return held;
  }

  #planned(call: PlannedCall, plan: Plan): Held {
    const purse = this.#deps.blocks.begin(this.#budgets, this.#run.userId);
    return {
      mostTokens: plan.answer,
      isLast: call.keepsLastCall && !plan.keepsLastCall,
      runId: this.#run.runId,
      purse,
      amounts: this.#needOf(purse, call, plan),
      id: undefined,
      block: undefined,
      drawn: NOTHING,
      spent: undefined,
    };
  }

  #needOf({ units }: Purse, call: PlannedCall, plan: Plan): Amounts {
    return worstCase(call, plan, { units, isQuestion: !this.#isCounted, priceOf: this.#deps.priceOf });
  }

  /** Undefined where that takes a statement, or somebody else's. */
  #takeAtOnce(held: Held): Held | undefined {
    // Nothing of it counts for any of them, as with the later calls of a question.
    if (covers(NOTHING, held.amounts)) {
      this.#deps.blocks.end(held);
      return held;
    }
    return this.#deps.blocks.take(held) ? this.#granted(held) : undefined;
  }

  async #take(held: Held): Promise<Held | undefined> {
    let isHeld = false;
    try {
      isHeld = (await this.#deps.blocks.takeAwaited(held)) || (await this.#setAside(held));
      return isHeld ? this.#granted(held) : undefined;
    } finally {
      if (!isHeld) this.#deps.blocks.end(held);
    }
  }

  async #setAside(held: Held): Promise<boolean> {
    const booked = [...this.#settled];
    if (!(await this.#deps.blocks.reserve(held, booked))) return false;
    this.#settled.splice(0, booked.length);
    return true;
  }

  #granted(held: Held): Held {
    this.#open.push(held);
    this.#isCounted = true;
    return held;
  }

  /** A call came to this, or was never made. */
  #settleCall(held: Held, spent?: Amounts): void {
    const at = this.#open.indexOf(held);
    if (at < 0) return;
    this.#open.splice(at, 1);
    const { purse, amounts, id, block } = held;
    this.#deps.blocks.end(held);
    if (block) {
      settlePart(held, spent ?? NOTHING);
      held.spent = spent;
      if (spent) this.#owed.push(held);
      else bookPart(held);
    } else {
      this.#settled.push({ holdId: id, accounts: purse.accounts, held: amounts, spent: spent ?? NOTHING });
    }
  }
}

/** Whether what was set aside for one call is enough for the other. */
const isCovered = (call: PlannedCall, held: PlannedCall): boolean =>
  call.promptTokens <= held.promptTokens &&
  call.mostTokens === held.mostTokens &&
  (!call.keepsLastCall || held.keepsLastCall) &&
  call.models.every(({ connector, model }) =>
    held.models.some((one) => one.connector === connector && one.model === model),
  );

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
  return figures.map((one) => {
    let { used, reserved } = one;
    for (const { accounts, spent, held } of settled) {
      for (const { budgetId, periodStart, unit } of accounts) {
        if (budgetId !== one.budgetId || periodStart !== one.periodStart) continue;
        used += spent[unit];
        reserved -= held[unit];
      }
    }
    return { ...one, used, reserved };
  });
}
