import { setTimeout as delay } from 'node:timers/promises';
import { isAway, NotReached } from '../engines/postgres-away.js';
import { isUniqueViolation } from './refusals.js';

/** Time for a server to be started again or for another to take its place; whoever waits for the answer waits as long. */
const MOST_AWAY_MS = 5_000;
const AGAIN_AFTER_MS = 200;

export interface Write<T> {
  write(): Promise<T>;
  /** What it came to, if it was done: asked for when the connection was lost before the answer. */
  find(): Promise<T | undefined>;
  /** Whether the database itself refuses to do it twice: one that is still being done cannot be seen yet. */
  readonly isUnique: boolean;
}

export type LastingWrite = <T>(of: Write<T>) => Promise<T>;

/**
 * For what has cost something and is worth waiting for: while the database is away the write is tried again, or looked
 * for where it may have been done, and never done twice. It fails once the database has been away for too long, for all
 * writes alike, however many come meanwhile.
 */
export function createLastingWrite(mostAwayMs = MOST_AWAY_MS): LastingWrite {
  let awaySince: number | undefined;

  const isTooLong = () => {
    awaySince ??= performance.now();
    return performance.now() - awaySince >= mostAwayMs;
  };
  const answered = <T>(result: T): T => {
    awaySince = undefined;
    return result;
  };

  return async ({ write, find, isUnique }) => {
    /** Of a write that may have been done all the same. */
    let lost: Error | undefined;
    for (;;) {
      try {
        const found = lost === undefined ? undefined : answered(await find());
        if (found !== undefined) return found;
        if (lost === undefined || isUnique) return answered(await write());
      } catch (fault) {
        const isTwice = lost !== undefined && isUniqueViolation(fault);
        if ((!isAway(fault) && !isTwice) || isTooLong()) throw fault;
        if (!(fault instanceof NotReached)) lost ??= fault as Error;
        await delay(AGAIN_AFTER_MS);
        continue;
      }
      throw lost;
    }
  };
}
