import { randomUUID } from 'node:crypto';
import {
  add,
  type Amounts,
  type Budget,
  type BudgetAccounts,
  type BudgetHold,
  type BudgetSettlement,
  type Counters,
  NOTHING,
} from '../core/budgets/budget.js';
import { covers, givenBackAt } from './amounts.js';
import { createPurse, isOf, partsOf, type Purse, purseKey } from './purse.js';

/** What a call needs of its purse. One object for all that becomes of it: these are made for each call. */
export interface PlannedHold extends Pick<BudgetHold, 'runId'> {
  readonly purse: SharedPurse;
  readonly amounts: Amounts;
  /** Once it is asked for by a statement of its own. */
  id: string | undefined;
  /** Once it is taken of one. */
  block: Block | undefined;
  /** What of the block is not free again and not on record. */
  drawn: Amounts;
}

/** One that calls are spending of, or were a moment ago. */
export interface SharedPurse extends Purse {
  spenders: number;
  block: Block | undefined;
  /** For somebody who asks for all of them. */
  asking: Promise<boolean> | undefined;
  /** No block is asked for before that. */
  notBefore: number;
}

/** What was set aside for several calls. */
interface Block {
  id: string;
  readonly purse: SharedPurse;
  readonly usableUntil: number;
  readonly expiresAt: number;
  usedAt: number;
  /** As it was set aside. */
  amounts: Amounts;
  readonly free: Counters;
  /** Of parts that are not on record yet. */
  readonly outstanding: Counters;
  open: number;
  isShrinking: boolean;
}

/**
 * Where many calls spend of the same purse at the same time, enough for several is set aside by one statement, and the
 * calls take their parts of such a block here, without asking the database. What they came to is booked with the records
 * of their runs and never lessens the block, which is given back in one piece when nobody has spent of it for a moment:
 * until then what they spent counts twice, so that others may find less than there is and never more.
 */
export interface Blocks {
  /** These budgets as they are now, for somebody who wants to spend of them. */
  begin(budgets: readonly Budget[], userId: number): SharedPurse;
  /** Somebody is done. */
  end(hold: PlannedHold): void;
  /** Out of a block; false where there is none with enough in it. */
  take(hold: PlannedHold): boolean;
  /** The same, once the one is there that somebody is asking for. */
  takeAwaited(hold: PlannedHold): Promise<boolean>;
  /** By a statement, and a block for those who come next along with it, if others spend of the same purse just now. */
  reserve(hold: PlannedHold, settlements: readonly BudgetSettlement[]): Promise<boolean>;
  /** Gives back what nobody spends of. */
  close(): Promise<void>;
}

interface BlockOptions {
  readonly runTimeoutMs: number;
  /** With so many calls at the same time it is worth it, those among them that are still being set aside for. */
  readonly busyAt?: number;
  /** For so many calls at the same time a block is. */
  readonly calls?: number;
}

/** Parts of it are taken for so long at most: a run that begins then ends before the block is given back by itself. */
const USABLE_MS = 5_000;
/** After so long without a call it is given back: longer than the calls of a burst are apart. */
const IDLE_MS = 200;
/** For so long no block is asked for where there was not enough for one. */
const TIGHT_MS = 2_000;

export function createBlocks(
  accounts: Pick<BudgetAccounts, 'reserve' | 'settle'>,
  { runTimeoutMs, busyAt = 4, calls = 32 }: BlockOptions,
): Blocks {
  const purses = new Map<string, SharedPurse>();
  const known = new Set<Block>();

  /** Unless somebody spends of it. */
  const forgetPurse = (purse: SharedPurse) => {
    if (purse.spenders > 0) return;
    purse.notBefore = 0;
    if (!purse.block && purses.get(purse.key) === purse) purses.delete(purse.key);
  };
  const forget = (block: Block) => {
    known.delete(block);
    if (block.purse.block !== block) return;
    block.purse.block = undefined;
    forgetPurse(block.purse);
  };

  const holdOf = (
    id: string,
    { runId, purse }: Pick<PlannedHold, 'runId' | 'purse'>,
    amounts: Amounts,
  ): BudgetHold => ({ id, runId, parts: partsOf(purse, amounts), expiresAt: givenBackAt(runTimeoutMs) });

  /** Enough for the next ones, of a question as well where questions are counted. */
  const blockFor = ({ purse: { units, spenders }, amounts }: PlannedHold): Amounts => {
    const times = Math.max(calls, 2 * spenders);
    const all = { ...NOTHING };
    add(all, amounts, times);
    return units.has('requests') ? { ...all, requests: times } : all;
  };
  const opened = (hold: BudgetHold, purse: SharedPurse, amounts: Amounts) => {
    const usedAt = Date.now();
    const block: Block = {
      ...{ id: hold.id, purse, amounts, free: { ...amounts }, outstanding: { ...NOTHING } },
      ...{ usedAt, usableUntil: usedAt + Math.min(USABLE_MS, runTimeoutMs / 20) },
      ...{ expiresAt: Date.parse(hold.expiresAt), open: 0, isShrinking: false },
    };
    known.add(block);
    purse.block = block;
    watch();
  };
  const reserveWithBlock = async (
    alone: BudgetHold,
    hold: PlannedHold,
    settlements: readonly BudgetSettlement[],
  ): Promise<boolean> => {
    const { purse } = hold;
    const amounts = blockFor(hold);
    const more = holdOf(randomUUID(), hold, amounts);
    const granting = accounts.reserve(alone, settlements, [more]);
    purse.asking = granting;
    let isGranted = false;
    try {
      isGranted = await granting;
      if (isGranted) opened(more, purse, amounts);
    } finally {
      purse.asking = undefined;
      purse.notBefore = isGranted ? 0 : Date.now() + TIGHT_MS;
    }
    return isGranted;
  };

  /** Whether a block may have been in the way; what is spent of it just now stays. */
  const giveBackUnused = async ({ runId, purse }: PlannedHold): Promise<boolean> => {
    const some = [...known].filter(
      (block) =>
        !block.isShrinking && !covers(block.outstanding, block.amounts) && sharesAccount(block.purse, purse),
    );
    await Promise.all(some.map((block) => shrink(block, runId)));
    return some.length > 0;
  };
  const shrink = async (block: Block, runId: string) => {
    Object.assign(block.free, NOTHING);
    if (covers(NOTHING, block.outstanding)) {
      forget(block);
      await accounts.settle([givenBack(block)]);
      return;
    }
    const [id, outstanding] = [randomUUID(), { ...block.outstanding }];
    // Should nobody know what becomes of the statement, it stays open, and is given back when its time is over.
    block.open += 1;
    block.isShrinking = true;
    const kept = holdOf(id, { runId, purse: block.purse }, outstanding);
    if (await accounts.reserve(kept, [givenBack(block)])) Object.assign(block, { id, amounts: outstanding });
    block.isShrinking = false;
    block.open -= 1;
  };
  const giveBackIdle = async (idleMs: number) => {
    const now = Date.now();
    const isIdle = ({ open, usedAt, usableUntil }: Block) =>
      open === 0 && (now - usedAt >= idleMs || now >= usableUntil);
    const idle = [...known].filter(isIdle);
    for (const block of [...idle, ...[...known].filter(({ expiresAt }) => expiresAt < now)]) forget(block);
    // Where that fails, as at the end of a service whose database is away, they are given back when their time is over.
    await accounts.settle(idle.map(givenBack)).catch(() => undefined);
  };
  let watching: NodeJS.Timeout | undefined;
  /** As long as there are any. */
  const watch = () => {
    watching ??= setTimeout(() => {
      watching = undefined;
      void giveBackIdle(IDLE_MS);
      if (known.size > 0) watch();
    }, IDLE_MS).unref();
  };

  const take = (hold: PlannedHold): boolean => {
    const { amounts } = hold;
    const { block } = hold.purse;
    const now = Date.now();
    if (!block || now >= block.usableUntil || !covers(block.free, amounts)) return false;
    add(block.free, amounts, -1);
    add(block.outstanding, amounts);
    block.open += 1;
    block.usedAt = now;
    hold.block = block;
    hold.drawn = amounts;
    return true;
  };

  return {
    begin(budgets, userId) {
      const key = purseKey(budgets, userId);
      let purse = purses.get(key);
      if (!purse || Date.now() >= purse.until || !isOf(purse, budgets)) {
        const made = createPurse(budgets, userId, key);
        purse = { ...made, spenders: 0, block: undefined, asking: undefined, notBefore: 0 };
        purses.set(key, purse);
      }
      purse.spenders += 1;
      return purse;
    },

    end({ purse }) {
      purse.spenders -= 1;
      forgetPurse(purse);
    },

    take,

    async takeAwaited(hold) {
      if (!hold.purse.asking) return false;
      // Whoever asks hears of a failure.
      await hold.purse.asking.catch(() => false);
      return take(hold);
    },

    async reserve(hold, settlements) {
      const { spenders, asking, notBefore } = hold.purse;
      const isWorthIt = spenders >= busyAt && !asking && notBefore <= Date.now();
      hold.id = randomUUID();
      const alone = holdOf(hold.id, hold, hold.amounts);
      if (isWorthIt && (await reserveWithBlock(alone, hold, settlements))) return true;
      if (await accounts.reserve(alone, settlements)) return true;
      return (await giveBackUnused(hold)) && (await accounts.reserve(alone, settlements));
    },

    async close() {
      clearTimeout(watching);
      await giveBackIdle(0);
    },
  };
}

const sharesAccount = (one: Purse, other: Purse): boolean =>
  one.accounts.some((account) =>
    other.accounts.some(
      ({ budgetId, userId, periodStart }) =>
        budgetId === account.budgetId && userId === account.userId && periodStart === account.periodStart,
    ),
  );

/** What was taken of a block came to this; the rest of it is free again. */
export function settlePart(hold: PlannedHold, spent: Amounts): void {
  const { block, drawn } = hold;
  if (!block) return;
  // What is beyond the part was never set aside: it is used, and takes nothing from the others.
  hold.drawn = {
    tokens: Math.min(spent.tokens, drawn.tokens),
    cost: Math.min(spent.cost, drawn.cost),
    requests: Math.min(spent.requests, drawn.requests),
  };
  add(block.free, drawn);
  add(block.free, hold.drawn, -1);
  add(block.outstanding, drawn, -1);
  add(block.outstanding, hold.drawn);
}

/** What it came to is on record, or is nothing. */
export function bookPart({ block, drawn }: PlannedHold): void {
  if (!block) return;
  add(block.outstanding, drawn, -1);
  block.open -= 1;
}

const givenBack = ({ id, purse: { accounts }, amounts }: Block): BudgetSettlement => ({
  ...{ holdId: id, accounts, held: amounts, spent: NOTHING },
});
