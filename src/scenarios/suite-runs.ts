import { createCoalescedTask } from '../core/base/coalesced-task.js';
import { keepLease } from '../core/base/lease.js';
import { AppError } from '../core/errors.js';
import { type Logger, errorLocation } from '../core/log.js';
import { suitePassed, type SuiteRun, type SuiteWork } from '../core/scenarios/suite-run.js';
import type { Stores } from '../core/stores.js';
import type { PublishGate } from './gate.js';
import { createTally, runSuite, type RunSuiteDeps } from './run-suite.js';

export interface SuiteRunsDeps extends RunSuiteDeps {
  readonly stores: RunSuiteDeps['stores'] & Pick<Stores, 'annotations' | 'suiteRuns'>;
  /** Told of every run that came to its end. */
  readonly ended: PublishGate['suiteEnded'];
  readonly log: Logger;
}

/** Runs the suites that wait; in each process that serves there is one of these. */
export interface SuiteRuns {
  start(): void;
  /** There is something to do. */
  nudge(): void;
  /** At once where it goes on in this process; elsewhere it is seen at the next beat. */
  cancel(id: string): Promise<SuiteRun | undefined>;
  /** What is under way is given back, and begun anew by whoever goes on. */
  stop(): Promise<void>;
}

/** Runs under way at the same time in one process. */
const HANDS = 2;
const LEASE_MS = 15_000;
/** So often it is written down how far a run has come, where it has; whether it is to be stopped is seen with the lease. */
const BEAT_MS = 1_000;
const LOOK_MS = 20_000;
/** A run whose process died as often as this is not begun again. */
const MOST_ATTEMPTS = 2;

const CANCELLED = new Error('The run was cancelled.');
const INTERRUPTED = 'The service was interrupted while it ran. Run it again.';
const FAILED = 'The run failed on our side. Run it again.';

export function createSuiteRuns(deps: SuiteRunsDeps): SuiteRuns {
  const { stores, log } = deps;
  const { suiteRuns } = stores;
  const stopping = new AbortController();
  const underWay = new Map<string, AbortController>();
  const timers = new Set<NodeJS.Timeout>();

  const work = async (claimed: SuiteWork): Promise<void> => {
    const { run } = claimed;
    const tally = createTally(run);
    const end = (ended: Pick<SuiteRun, 'status' | 'passed' | 'error'>) =>
      suiteRuns.end(claimed, { ...tally.progress(), ...ended });
    if (claimed.attempts > MOST_ATTEMPTS) {
      await end({ status: 'failed', passed: null, error: INTERRUPTED });
      return;
    }
    const cancelled = new AbortController();
    underWay.set(run.id, cancelled);
    const renewal = () => suiteRuns.keep(claimed, tally.progress(), { ms: LEASE_MS });
    const lease = keepLease({
      ...{ leaseMs: LEASE_MS, beatMs: BEAT_MS, stopping: stopping.signal, renewal },
      hasNews: tally.hasNews,
    });
    const signal = AbortSignal.any([cancelled.signal, lease.signal]);
    try {
      // The same from the first question to the last, whatever is changed meanwhile.
      const examples = await stores.annotations.active(run.assistantId);
      await runSuite(run, { tally, signal, examples }, deps);
      // What was cancelled meanwhile, or is somebody else's by now, has not passed by this.
      await lease.renewBy(renewal);
      await lease.end();
      const done = { ...run, ...tally.progress(), status: 'done' as const };
      const passed = suitePassed(done);
      // First what follows from it: whoever sees that it is done can rely on that.
      await deps.ended({ ...done, passed }, examples);
      await end({ status: 'done', passed, error: null });
    } catch (fault) {
      await lease.end();
      if (stopping.signal.aborted) await suiteRuns.release(claimed);
      else if (!signal.aborted) {
        if (!(fault instanceof AppError))
          log.error({ suiteRunId: run.id, fault: errorLocation(fault) }, 'suite failed');
        await end({
          status: 'failed',
          passed: null,
          error: fault instanceof AppError ? fault.message : FAILED,
        });
      }
    } finally {
      underWay.delete(run.id);
    }
  };
  const hands = Array.from({ length: HANDS }, (_, i) =>
    createCoalescedTask(async () => {
      try {
        while (!stopping.signal.aborted) {
          const claimed = await suiteRuns.claim({ ms: LEASE_MS });
          if (!claimed) return;
          hands[i + 1]?.ask();
          await work(claimed);
        }
      } catch (fault) {
        log.error({ fault: errorLocation(fault) }, 'suites could not be run');
      }
    }),
  );
  const ask = () => {
    if (!stopping.signal.aborted) (hands.find((hand) => !hand.isBusy()) ?? hands[0])?.ask();
  };

  return {
    start() {
      timers.add(setInterval(ask, LOOK_MS).unref());
      ask();
    },
    nudge: ask,
    async cancel(id) {
      const run = await suiteRuns.cancel(id);
      underWay.get(id)?.abort(CANCELLED);
      return run;
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      stopping.abort(new Error('The service stops.'));
      await Promise.all(hands.map((hand) => hand.settled()));
    },
  };
}
