import { createCoalescedTask } from '../../core/base/coalesced-task.js';
import { keepLease } from '../../core/base/lease.js';
import { AppError, timedOut } from '../../core/errors.js';
import type { SourceFault } from '../../core/knowledge/source-faults.js';
import type { Source, SourceStore, SourceWork } from '../../core/knowledge/source.js';
import { type Logger, errorLocation } from '../../core/log.js';
import { createDeadline } from '../../core/runs/deadline.js';
import { bringInStep, type RunState, type StepDeps } from './bring-in-step.js';
import { failureOf, faultOf } from './faults.js';
import type { SourceReader } from './reader.js';

export interface SourceRunDeps extends StepDeps {
  readonly sources: SourceStore;
  readonly readerOf: (source: Source) => Promise<SourceReader>;
  readonly log: Logger;
  readonly pace?: Partial<typeof USUAL>;
}

/** Runs sources when they are due; in each process that serves there is one of these. */
export interface SourceRuns {
  start(): void;
  /** One may be due, or be due at another time. */
  nudge(): void;
  /** What is under way is given back for the next who asks. */
  stop(): Promise<void>;
}

/** So many at a time: a small one does not wait for a large one. */
const LANES = 2;
const MOST_ATTEMPTS = 3;
const USUAL = {
  leaseMs: 30_000,
  beatMs: 1_000,
  /** What other processes have put off or left is looked for at least this often. */
  mostMs: 600_000,
};
const DEADLY = faultOf(
  'service_ended',
  `The source could not be read: the service ended ${String(MOST_ATTEMPTS)} times while it was at it. Choose a smaller part of it.`,
  MOST_ATTEMPTS,
);
const BROKEN = faultOf('broken', 'The source could not be read. The log has the place where it broke.');
const TIME_OVER = faultOf(
  'time_over',
  'The time for one run is over. What was brought stays, and the next run goes on with the rest.',
);

export function createSourceRuns(deps: SourceRunDeps): SourceRuns {
  const { sources, log } = deps;
  const pace = { ...USUAL, ...deps.pace };
  const stopping = new AbortController();
  const renewals = new Set<() => void>();
  let timer: NodeJS.Timeout | undefined;

  const quietly = (work: () => Promise<void>) => async () => {
    try {
      await work();
    } catch (fault) {
      log.error({ fault: errorLocation(fault) }, 'running sources failed');
    }
  };
  const nextIn = async () => {
    const due = await sources.nextDue();
    return due === undefined ? Infinity : Math.max(Date.parse(due) - Date.now(), 0) + 1;
  };
  /** One timer. Where nothing is due, or that cannot be told, another machine may be given a source, and end. */
  const planning = createCoalescedTask(async () => {
    let ms = Infinity;
    await quietly(async () => {
      ms = await nextIn();
    })();
    clearTimeout(timer);
    if (!stopping.signal.aborted) timer = setTimeout(ask, Math.min(ms, pace.mostMs)).unref();
  });
  const lanes = Array.from({ length: LANES }, () =>
    createCoalescedTask(
      quietly(async () => {
        try {
          for (let work = await claim(); work; work = await claim()) await runOne(work);
        } finally {
          planning.ask();
        }
      }),
    ),
  );
  const claim = () =>
    stopping.signal.aborted ? Promise.resolve(undefined) : sources.claim({ ms: pace.leaseMs });
  const ask = () => {
    if (stopping.signal.aborted) return;
    for (const lane of lanes) lane.ask();
    for (const renew of renewals) renew();
  };

  const runOne = async (work: SourceWork) => {
    const state: RunState = {
      total: work.run.total,
      done: work.run.done,
      outcome: { ...work.run.outcome, failed: [] },
    };
    let told = state.outcome;
    const lease = keepLease({
      ...{ leaseMs: pace.leaseMs, beatMs: pace.beatMs, stopping: stopping.signal },
      renewal: async () => {
        told = state.outcome;
        return sources.report(work, { ...state }, { ms: pace.leaseMs });
      },
      hasNews: () => told !== state.outcome,
    });
    renewals.add(lease.renew);
    try {
      await runClaimed(work, { state, signal: lease.signal }, { ...deps, stopping: stopping.signal });
    } finally {
      renewals.delete(lease.renew);
      await lease.end();
    }
  };

  return {
    start: ask,
    nudge: ask,
    async stop() {
      clearTimeout(timer);
      stopping.abort(new Error('The service stops.'));
      await Promise.all([...lanes, planning].map((task) => task.settled()));
      clearTimeout(timer);
    },
  };
}

async function runClaimed(
  work: SourceWork,
  { state, signal }: { readonly state: RunState; readonly signal: AbortSignal },
  deps: SourceRunDeps & { readonly stopping: AbortSignal },
): Promise<void> {
  const { sources, log, stopping, limits } = deps;
  const facts = { sourceId: work.source.id, kind: work.source.settings.kind, attempts: work.attempts };
  const deadline = createDeadline(signal, limits.runMs);
  const began = Date.now();
  try {
    if (work.attempts > MOST_ATTEMPTS) throw timedOut('The source');
    const reader = await deps.readerOf(work.source);
    const error = await bringInStep(work, { reader, state, signal: deadline.signal }, deps);
    await sources.finish(work, { ...state, error, failed: false });
    log.info({ ...facts, ms: Date.now() - began, total: state.total }, 'a source was brought in step');
  } catch (fault) {
    if (stopping.aborted) await sources.release(work);
    if (signal.aborted) return;
    await sources.finish(work, { ...state, error: reasonOf(fault), failed: true });
    log.warn(
      { ...facts, ms: Date.now() - began, why: errorLocation(fault) },
      'a source could not be brought in step',
    );
  } finally {
    deadline.dispose();
  }

  function reasonOf(fault: unknown): SourceFault {
    if (work.attempts > MOST_ATTEMPTS) return DEADLY;
    if (deadline.expired()) return TIME_OVER;
    return fault instanceof AppError ? failureOf(fault) : BROKEN;
  }
}
