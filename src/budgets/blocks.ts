import { randomUUID } from 'node:crypto';
import type {
  Budget,
  BudgetAccount,
  BudgetAccounts,
  BudgetHold,
  BudgetPart,
  BudgetSettlement,
} from '../core/budgets/budget.js';
import { givenBackAt } from './amounts.js';

/** A part, and the budget as it was when the part was reckoned. */
export interface PlannedPart extends BudgetPart {
  readonly budget: Budget;
  /** Names the account. */
  readonly key: string;
}

export interface PlannedHold extends Pick<BudgetHold, 'id' | 'runId'> {
  readonly parts: readonly PlannedPart[];
}

/** Of a block. */
export interface BlockPart {
  readonly part: PlannedPart;
  readonly block: Block;
  /** What of it is not free again and not on record. */
  drawn: number;
}

/**
 * Where many calls spend the same accounts at the same time, enough for several is set aside by one statement, and the
 * calls take their parts of such a block here, without asking the database. What they came to is booked with the records
 * of their runs and never lessens the block, which is given back in one piece when nobody has spent of it for a moment:
 * until then what they spent counts twice, so that others may find less than there is and never more.
 */
export interface Blocks {
  /** Out of blocks; undefined where one of the accounts has none with enough in it. */
  take(hold: PlannedHold): readonly BlockPart[] | undefined;
  /** The same, once those are there that somebody is asking for. */
  takeAwaited(hold: PlannedHold): Promise<readonly BlockPart[] | undefined>;
  /** By a statement, and blocks for those who come next along with it, if others spend all the same accounts just now. */
  reserve(hold: PlannedHold, settlements: readonly BudgetSettlement[]): Promise<boolean>;
  /** Somebody wants to spend of these accounts, or is done. */
  begin(parts: readonly PlannedPart[]): void;
  end(parts: readonly PlannedPart[]): void;
  /** Gives back what nobody spends of. */
  close(): Promise<void>;
}

type ExpiringHold = PlannedHold & Pick<BudgetHold, 'expiresAt'>;

/** What was set aside for several calls of one account. */
interface Block {
  id: string;
  readonly account: BudgetAccount;
  readonly key: string;
  readonly budget: Budget;
  readonly usableUntil: number;
  readonly expiresAt: number;
  usedAt: number;
  /** As it was set aside. */
  amount: number;
  free: number;
  /** Of parts that are not on record yet. */
  outstanding: number;
  open: number;
  isShrinking: boolean;
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
  const current = new Map<string, Block>();
  const known = new Set<Block>();
  const spenders = new Map<string, number>();
  const notBefore = new Map<string, number>();
  const asking = new Map<string, Promise<unknown>>();

  const usable = (part: PlannedPart) => {
    const block = current.get(part.key);
    // A budget that was changed is asked again: it may have become less.
    const isGood = block?.budget === part.budget && Date.now() < block.usableUntil;
    return isGood && block.free >= part.amount ? block : undefined;
  };
  const forget = (block: Block) => {
    known.delete(block);
    if (current.get(block.key) === block) current.delete(block.key);
  };

  const expiring = (hold: PlannedHold): ExpiringHold => ({ ...hold, expiresAt: givenBackAt(runTimeoutMs) });
  const wantedWith = ({ runId, parts }: PlannedHold): readonly ExpiringHold[] => {
    const missing = parts.filter((part) => !usable(part));
    const now = Date.now();
    const isWorthIt = ({ key }: PlannedPart) =>
      (spenders.get(key) ?? 0) >= busyAt && (notBefore.get(key) ?? 0) <= now;
    if (!missing.every(isWorthIt)) return [];
    return missing.map((part) => {
      const amount = part.amount * Math.max(calls, 2 * (spenders.get(part.key) ?? 0));
      return expiring({ id: randomUUID(), runId, parts: [{ ...part, amount }] });
    });
  };
  const opened = (holds: readonly ExpiringHold[]) => {
    const usedAt = Date.now();
    const usableUntil = usedAt + Math.min(USABLE_MS, runTimeoutMs / 20);
    for (const { id, parts, expiresAt } of holds)
      for (const { budget, key, amount, budgetId, userId, periodStart } of parts) {
        const account = { budgetId, userId, periodStart };
        const block: Block = {
          ...{ id, account, key, budget, usedAt, usableUntil, expiresAt: Date.parse(expiresAt) },
          ...{ amount, free: amount, outstanding: 0, open: 0, isShrinking: false },
        };
        known.add(block);
        current.set(key, block);
      }
    watch();
  };
  const reserveWithBlocks = async (
    hold: ExpiringHold,
    settlements: readonly BudgetSettlement[],
    wanted: readonly ExpiringHold[],
  ): Promise<boolean> => {
    const keys = wanted.flatMap(({ parts }) => parts.map(({ key }) => key));
    // One asks for all.
    const granting = accounts.reserve(hold, settlements, wanted);
    for (const key of keys) {
      notBefore.set(key, Infinity);
      asking.set(key, granting);
    }
    let isGranted = false;
    try {
      isGranted = await granting;
      if (isGranted) opened(wanted);
    } finally {
      for (const key of keys) {
        asking.delete(key);
        if (isGranted) notBefore.delete(key);
        else notBefore.set(key, Date.now() + TIGHT_MS);
      }
    }
    return isGranted;
  };

  /** Whether a block may have been in the way; what is spent of it just now stays. */
  const giveBackUnused = async ({ runId, parts }: ExpiringHold): Promise<boolean> => {
    const keys = new Set(parts.map(({ key }) => key));
    const some = [...known].filter(
      ({ key, isShrinking, amount, outstanding }) => keys.has(key) && !isShrinking && amount > outstanding,
    );
    await Promise.all(some.map((block) => shrink(block, runId)));
    return some.length > 0;
  };
  const shrink = async (block: Block, runId: string) => {
    const { account, key, outstanding, budget } = block;
    block.free = 0;
    const id = randomUUID();
    // Should nobody know what becomes of the statement, it stays open, and is given back when its time is over.
    block.open += 1;
    block.isShrinking = true;
    const kept = expiring({ id, runId, parts: [{ ...account, amount: outstanding, budget, key }] });
    if (await accounts.reserve(kept, [givenBack(block)])) Object.assign(block, { id, amount: outstanding });
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

  const take = ({ parts }: PlannedHold): readonly BlockPart[] | undefined => {
    const found: { part: PlannedPart; block: Block }[] = [];
    for (const part of parts) {
      const block = usable(part);
      if (!block) return undefined;
      found.push({ part, block });
    }
    return found.map(({ part, block }) => partOf(block, part));
  };

  return {
    take,

    async takeAwaited(hold) {
      const missing = hold.parts.filter((part) => !usable(part)).map(({ key }) => asking.get(key));
      if (missing.includes(undefined)) return undefined;
      await Promise.allSettled(missing.map(async (asked) => await asked));
      return take(hold);
    },

    async reserve(planned, settlements) {
      const hold = expiring(planned);
      const wanted = wantedWith(hold);
      if (wanted.length > 0 && (await reserveWithBlocks(hold, settlements, wanted))) return true;
      if (await accounts.reserve(hold, settlements)) return true;
      return (await giveBackUnused(hold)) && (await accounts.reserve(hold, settlements));
    },

    begin(parts) {
      for (const { key } of parts) spenders.set(key, (spenders.get(key) ?? 0) + 1);
    },

    end(parts) {
      for (const { key } of parts) {
        const left = (spenders.get(key) ?? 1) - 1;
        if (left > 0) spenders.set(key, left);
        else {
          spenders.delete(key);
          notBefore.delete(key);
        }
      }
    },

    async close() {
      clearTimeout(watching);
      await giveBackIdle(0);
    },
  };
}

function partOf(block: Block, part: PlannedPart): BlockPart {
  block.free -= part.amount;
  block.outstanding += part.amount;
  block.open += 1;
  block.usedAt = Date.now();
  return { part, block, drawn: part.amount };
}

/** What a part of a block came to; the rest of it is free again. */
export function settlePart(one: BlockPart, spent: number): void {
  const { block, drawn } = one;
  // What is beyond the part was never set aside: it is used, and takes nothing from the others.
  one.drawn = Math.min(spent, drawn);
  block.free += drawn - one.drawn;
  block.outstanding -= drawn - one.drawn;
}

/** What it came to is on record, or is nothing. */
export function bookPart({ block, drawn }: BlockPart): void {
  block.outstanding -= drawn;
  block.open -= 1;
}

const givenBack = ({ id, account, amount }: Block): BudgetSettlement => ({
  ...{ holdId: id, parts: [] },
  held: [{ ...account, amount }],
});
