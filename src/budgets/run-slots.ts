import { randomUUID } from 'node:crypto';
import { type BudgetPart, type BudgetStore, NOTHING } from '../core/budgets/budget.js';
import type { AdmitRun, RunSlot, StartingRun } from '../core/budgets/run-slot.js';
import { AppError } from '../core/errors.js';
import { givenBackAt } from './amounts.js';

interface Deps {
  readonly budgets: Pick<BudgetStore, 'reserve' | 'figures' | 'settle'>;
  readonly runTimeoutMs: number;
  readonly queueWaitMs: number;
}

interface Waiting extends StartingRun {
  readonly until: number;
  grant(slot: RunSlot): void;
  refuse(fault: unknown): void;
}

/** Other processes give back without a word. */
const LOOK_MS = 200;
const RETRY_SECONDS = 5;
/** A place is one of them in each of its accounts. */
const ONE = { ...NOTHING, requests: 1 };
/** Sorts before every time: such accounts have no periods. */
const ALWAYS = '1970-01-01T00:00:00.000Z';

export interface RunSlots {
  readonly admit: AdmitRun;
  /** How many wait here for their turn. */
  waiting(): number;
}

/** Runs at the same time, counted in the database and so over all processes. Who waits is served in turns, by person. */
export function createRunSlots({ budgets, runTimeoutMs, queueWaitMs }: Deps): RunSlots {
  const queues = new Map<number, Queue>();

  const attempt = async (
    request: StartingRun,
    parts: readonly BudgetPart[],
  ): Promise<RunSlot | undefined> => {
    const id = randomUUID();
    const hold = { id, runId: request.runId, parts, expiresAt: givenBackAt(runTimeoutMs) };
    if (!(await budgets.reserve(hold, []))) {
      // Opens accounts that were not there yet, and gives back what has expired.
      await budgets.figures(parts);
      if (!(await budgets.reserve(hold, []))) return undefined;
    }
    const accounts = parts.map((part) => ({ ...part, unit: 'requests' as const }));
    const settlement = { holdId: id, accounts, held: ONE, spent: NOTHING };
    const released = () => queues.get(request.organizationId)?.look();
    return {
      settlement,
      released,
      async giveBack() {
        await budgets.settle([settlement]);
        released();
      },
    };
  };

  const admit: AdmitRun = async (request) => {
    const parts = partsOf(request);
    if (parts.length === 0) return undefined;
    const { organizationId } = request;
    const queue = queues.get(organizationId);
    const slot = queue ? undefined : await attempt(request, parts);
    if (slot) return slot;
    const joined = queues.get(organizationId) ?? createQueue(attempt, () => queues.delete(organizationId));
    queues.set(organizationId, joined);
    return await joined.wait(request, Date.now() + queueWaitMs);
  };
  return {
    admit,
    waiting: () => [...queues.values()].reduce((sum, queue) => sum + queue.length(), 0),
  };
}

function partsOf({ organizationId, userId, limits }: StartingRun): readonly BudgetPart[] {
  const { concurrentRuns: all, concurrentRunsPerUser: own } = limits;
  const budgetId = `runs of ${String(organizationId)}`;
  const part = { budgetId, periodStart: ALWAYS, amount: 1 };
  return [
    ...(all === undefined ? [] : [{ ...part, userId: 0, limit: all }]),
    ...(own === undefined ? [] : [{ ...part, userId, limit: own }]),
  ];
}

interface Queue {
  wait(request: StartingRun, until: number): Promise<RunSlot>;
  /** Something may have become free. */
  look(): void;
  length(): number;
}

type Attempt = (request: StartingRun, parts: readonly BudgetPart[]) => Promise<RunSlot | undefined>;

/** Those of one organisation who wait, each person in turn, however many runs somebody wants. */
function createQueue(attempt: Attempt, onEmpty: () => void): Queue {
  const people = new Map<number, Waiting[]>();
  let looking: Promise<void> | undefined;
  let again = false;

  const leave = (one: Waiting) => {
    const theirs = people.get(one.userId)?.filter((other) => other !== one) ?? [];
    if (theirs.length > 0) people.set(one.userId, theirs);
    else people.delete(one.userId);
  };
  /** Behind everybody else: they have had their turn. */
  const toTheEnd = (userId: number) => {
    const theirs = people.get(userId);
    if (!theirs) return;
    people.delete(userId);
    people.set(userId, theirs);
  };
  const mayServeMore = () => again && people.size > 0;
  const serve = async () => {
    for (const userId of [...people.keys()]) {
      const [first] = people.get(userId) ?? [];
      if (!first) continue;
      const slot = await attempt(first, partsOf(first));
      if (!slot) {
        // Their own share is used up, or everybody's: then nobody else gets one either.
        if (first.limits.concurrentRunsPerUser === undefined) return;
        continue;
      }
      leave(first);
      toTheEnd(userId);
      first.grant(slot);
      again = true;
    }
  };
  const giveUp = () => {
    const now = Date.now();
    for (const one of [...people.values()].flat()) {
      if (!one.signal.aborted && one.until > now) continue;
      leave(one);
      one.refuse(one.signal.aborted ? one.signal.reason : tooMany());
    }
  };
  const lookAll = async () => {
    try {
      do {
        again = false;
        giveUp();
        await serve();
      } while (mayServeMore());
    } catch (fault) {
      for (const one of [...people.values()].flat()) {
        leave(one);
        one.refuse(fault);
      }
    }
    looking = undefined;
    if (people.size === 0) end();
  };
  const look = () => {
    if (looking !== undefined) again = true;
    else looking = lookAll();
  };
  const timer = setInterval(look, LOOK_MS);
  const end = () => {
    clearInterval(timer);
    onEmpty();
  };

  return {
    look,
    length: () => [...people.values()].flat().length,
    wait: (request, until) =>
      new Promise<RunSlot>((grant, refuse) => {
        const waiting = { ...request, until, grant, refuse };
        people.set(request.userId, [...(people.get(request.userId) ?? []), waiting]);
        request.signal.addEventListener('abort', look, { once: true });
      }),
  };
}

const tooMany = () =>
  new AppError('Too many questions are being answered at the same time. Try again in a moment.', {
    ...{ status: 429, type: 'rate_limit_error', code: 'too_many_runs' },
    retryAfterSeconds: RETRY_SECONDS,
  });
