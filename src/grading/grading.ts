import { createCoalescedTask } from '../core/base/coalesced-task.js';
import { keepLease } from '../core/base/lease.js';
import type { GradingWork, WorkKind } from '../core/grading/submission.js';
import { errorLocation } from '../core/log.js';
import { evaluateWork, type EvaluatingDeps } from './evaluate.js';
import { type Pace, USUAL_PACE } from './pace.js';
import { type PostingDeps, postWork } from './post.js';

export type GradingDeps = Omit<EvaluatingDeps & PostingDeps, 'pace'> & { readonly pace?: Partial<Pace> };

/** Evaluates what was handed in and tells what was approved; in each process that serves there is one of these. */
export interface Grading {
  start(): void;
  /** There is something to do. */
  nudge(): void;
  /** What is under way is given back, or finished where it cannot be. */
  stop(): Promise<void>;
}

export function createGrading({ pace: given, ...rest }: GradingDeps): Grading {
  const pace = { ...USUAL_PACE, ...given };
  const deps = { ...rest, pace };
  const { queue, log } = deps;
  const stopping = new AbortController();
  const timers = new Set<NodeJS.Timeout>();

  const doWork = async (kind: WorkKind, work: GradingWork) => {
    const { leaseMs } = pace;
    const renewal = () => queue.keep(work, { ms: leaseMs });
    const lease = keepLease({ leaseMs, stopping: stopping.signal, renewal });
    try {
      // A score that is on its way is not called back: each step of it takes seconds at most.
      const again = await (kind === 'evaluate'
        ? evaluateWork(work, lease.signal, deps)
        : postWork(work, deps));
      if (again !== undefined && again < pace.lookMs) askIn(again);
    } finally {
      await lease.end();
    }
  };
  /** One that finds something to do asks the next to look as well: with nothing to do, one looks. */
  const handsFor = (kind: WorkKind) => {
    const hands = Array.from({ length: pace.hands }, (_, i) =>
      createCoalescedTask(async () => {
        try {
          while (!stopping.signal.aborted) {
            const work = await queue.claim(kind, { ms: pace.leaseMs });
            if (!work) return;
            hands[i + 1]?.ask();
            await doWork(kind, work);
          }
        } catch (fault) {
          log.error({ kind, fault: errorLocation(fault) }, 'grading failed');
        }
      }),
    );
    return hands;
  };
  const hands = [handsFor('evaluate'), handsFor('post')];
  const ask = () => {
    if (stopping.signal.aborted) return;
    // The first may be at work on something that takes long.
    for (const each of hands) (each.find((hand) => !hand.isBusy()) ?? each[0])?.ask();
  };
  const askIn = (ms: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      ask();
    }, ms).unref();
    timers.add(timer);
  };

  return {
    start() {
      timers.add(setInterval(ask, pace.lookMs).unref());
      ask();
      // Whoever was killed before this start may have left something, and by then nobody waits for them.
      askIn(pace.leaseMs);
    },
    nudge: ask,
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      stopping.abort(new Error('The service stops.'));
      await Promise.all(hands.flat().map((hand) => hand.settled()));
    },
  };
}
