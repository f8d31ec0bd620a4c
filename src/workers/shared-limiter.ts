import type { SharedCount } from '../core/access/rate-limit.js';
import type { Limiter } from '../http/middleware/peers.js';

interface Batch {
  left: number;
  readonly until: number;
}

/**
 * Takes several points at a time, so that most requests are let through without asking. What all let through never
 * exceeds the allowance; a process may hold points that it does not use, at most one batch less one.
 */
export function createBatchedLimiter(shared: SharedCount, batch: number): Limiter {
  const held = new Map<string, Batch>();
  const asking = new Map<string, Promise<void>>();

  const take = async (key: string) => {
    const { msBeforeNext } = await shared.consume(key, batch);
    const taken = { left: batch, until: Date.now() + msBeforeNext };
    held.set(key, taken);
    setTimeout(() => {
      if (held.get(key) === taken) held.delete(key);
    }, msBeforeNext).unref();
  };
  const takeOnce = (key: string) => {
    const taking = asking.get(key) ?? take(key).finally(() => asking.delete(key));
    asking.set(key, taking);
    return taking;
  };

  return {
    async consume(key) {
      for (;;) {
        const mine = held.get(key);
        if (mine && mine.left > 0 && mine.until > Date.now()) {
          mine.left -= 1;
          return;
        }
        await takeOnce(key);
      }
    },
  };
}

/** Of one in so many parts of what is allowed, and without a rest, which nobody could take. */
export function batchOf(points: number, parts: number): number {
  const most = Math.max(1, Math.floor(points / parts));
  return Array.from({ length: most }, (_, i) => most - i).find((size) => points % size === 0) ?? 1;
}
