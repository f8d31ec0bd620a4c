import { deleteFiles } from './erasure.js';
import type { Stores } from '../core/stores.js';

type Deps = Pick<Stores, 'erasure' | 'files' | 'links'>;

export interface VisitorErasure {
  /** What somebody said in a visit that they have ended, and what was drawn for them. */
  forget(userId: number): Promise<void>;
  sweep(now: number, signal: AbortSignal): Promise<{ linkVisits: number; linkVisitors: number }>;
}

/** A run that was begun in time has come to its end by then. */
const LONGEST_RUN_MS = 3_600_000;
/** For so long teachers see how answers came about; there is nothing of what was said in it. */
const RUNS_KEPT_MS = 30 * 86_400_000;
const AT_ANY_TIME = '9999-12-31T23:59:59.999Z';

/** Takes away what visitors of public links leave behind: what they said with the visit, the record of it a month later. */
export function createVisitorErasure({ erasure, files, links }: Deps): VisitorErasure {
  const forget = async (userId: number) => {
    await deleteFiles(files.ofOwner(userId), { until: AT_ANY_TIME });
    await links.forgetVisit(userId, new Date().toISOString());
  };
  const erase = async (userId: number) => {
    for (;;) {
      const runs = await links.runsOf(userId);
      if (runs.length === 0) break;
      await erasure.eraseRuns(runs);
    }
    await deleteFiles(files.ofOwner(userId), { until: AT_ANY_TIME });
    await links.eraseVisitor(userId);
  };

  return {
    forget,
    async sweep(now, signal) {
      const ago = (ms: number) => new Date(now - ms).toISOString();
      return {
        linkVisits: await each(() => links.visitorsToForget(ago(LONGEST_RUN_MS)), forget, signal),
        linkVisitors: await each(() => links.forgottenVisitors(ago(RUNS_KEPT_MS)), erase, signal),
      };
    },
  };
}

/** Some at a time, until none is left or it is time to stop. */
async function each(
  some: () => Promise<readonly number[]>,
  work: (userId: number) => Promise<void>,
  signal: AbortSignal,
): Promise<number> {
  for (let done = 0; ;) {
    const found = signal.aborted ? [] : await some();
    if (found.length === 0) return done;
    for (const userId of found) await work(userId);
    done += found.length;
  }
}
