import { randomUUID } from 'node:crypto';
import { type Logger, errorLocation } from '../core/log.js';
import type { RunNoteStore, RunStart, RunsUnderWay, SeenRun } from '../core/runs/under-way.js';

/** A run that ends sooner is never noted: it pays nothing, and leaves nothing when its process is killed. */
const NOTED_AFTER_MS = 250;
const RENEWED_EVERY_MS = 1_000;
/** Several renewals: one that fails is made up for by the next. */
const LEASE_MS = 4_000;
/** Longer than it takes from one renewal to the next, so that whoever is alive has renewed between two looks. */
const LOOK_EVERY_MS = 1_500;
const MOST_AT_ONCE = 500;

interface Deps {
  readonly notes: RunNoteStore;
  readonly log: Logger;
  /** Nobody else works with this database: whatever another process has left is found at the start. */
  readonly isAlone: boolean;
}

export interface KeptRuns extends RunsUnderWay {
  /** From now on it is looked for runs that another process has left. */
  start(): void;
  stop(): Promise<void>;
}

interface UnderWay {
  readonly since: number;
  readonly start: RunStart;
  isNoted: boolean;
}

/**
 * Runs are recorded at their end, so one whose process is killed would leave nothing. Those that take their time are noted,
 * many with one statement, under a lease that is renewed as long as the process lives; when it is over, another process,
 * or the next start, makes a record of an interrupted run of each.
 */
export function keepRunsUnderWay({ notes, log, isAlone }: Deps): KeptRuns {
  const processId = randomUUID();
  const underWay = new Map<string, UnderWay>();
  const toForget = new Set<string>();
  const search = createSearch(processId, { notes, log, isAlone });
  let renewedAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  const leaseUntil = () => new Date(Date.now() + LEASE_MS).toISOString();
  const noteNew = async () => {
    const before = Date.now() - NOTED_AFTER_MS;
    const late = [...underWay].filter(([, { since, isNoted }]) => !isNoted && since <= before);
    if (late.length === 0) return;
    const some = late.slice(0, MOST_AT_ONCE).map(([, one]) => one);
    // Before it is written: one that ends meanwhile is to be forgotten again.
    for (const one of some) one.isNoted = true;
    try {
      await notes.note(
        some.map(({ start }) => start),
        { processId, leaseUntil: leaseUntil() },
      );
    } catch (fault) {
      for (const one of some) one.isNoted = false;
      throw fault;
    }
  };
  const renewOld = async () => {
    if (Date.now() - renewedAt < RENEWED_EVERY_MS) return;
    const noted = [...underWay].filter(([, { isNoted }]) => isNoted).map(([id]) => id);
    if (noted.length > 0) await notes.renew(noted, leaseUntil());
    renewedAt = Date.now();
  };
  const forgetEnded = async () => {
    if (toForget.size === 0) return;
    const some = [...toForget].slice(0, MOST_AT_ONCE);
    await notes.forget(some);
    for (const id of some) toForget.delete(id);
  };
  const write = async () => {
    try {
      await renewOld();
      await noteNew();
      await forgetEnded();
    } catch (fault) {
      log.warn({ fault: errorLocation(fault) }, 'the runs under way could not be noted');
    }
    writing = undefined;
  };
  const tick = () => {
    if (underWay.size + toForget.size > 0) {
      writing ??= write();
      return;
    }
    clearInterval(timer);
    timer = undefined;
  };

  return {
    begun(start) {
      underWay.set(start.id, { since: Date.now(), start, isNoted: false });
      timer ??= setInterval(tick, NOTED_AFTER_MS).unref();
    },
    ended(id, isRecorded) {
      if (underWay.get(id)?.isNoted && isRecorded) toForget.add(id);
      underWay.delete(id);
    },
    start: search.start,
    async stop() {
      clearInterval(timer);
      await search.stop();
      await writing;
      await forgetEnded().catch(() => undefined);
    },
  };
}

/** Looks for runs that nobody answers any more. */
function createSearch(processId: string, { notes, log, isAlone }: Deps) {
  let before = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isStopped = false;

  const look = async () => {
    const overdue = await notes.overdue(new Date().toISOString());
    // Seen twice as it is: after a time in which the database was away, those who are alive are given time to renew.
    const left = overdue.filter(({ id, leaseUntil }) => before.get(id) === leaseUntil);
    before = new Map(overdue.map(({ id, leaseUntil }: SeenRun) => [id, leaseUntil]));
    const runs = left.length === 0 ? 0 : await notes.recordInterrupted(left, LEASE_MS);
    if (runs > 0) log.warn({ runs }, 'runs of a process that is gone are on record as interrupted');
    return isAlone && !(await notes.hasOthersThan(processId));
  };
  const round = async () => {
    let isDone = false;
    try {
      isDone = await look();
    } catch (fault) {
      before.clear();
      log.warn({ fault: errorLocation(fault) }, 'interrupted runs could not be looked for');
    }
    if (!isDone && !isStopped) timer = setTimeout(begin, LOOK_EVERY_MS).unref();
  };
  const begin = () => {
    looking = round();
  };

  return {
    start: begin,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
