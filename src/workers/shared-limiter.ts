import { RateLimiterRes } from 'rate-limiter-flexible';
import type { SharedCount } from '../core/access/rate-limit.js';
import type { Limiter } from '../http/peers.js';

interface Batch {
  left: number;
  readonly until: number;
}

/**
 * Takes one in so many parts of an allowance at a time, so that most requests are let through without asking. What all let
 * through never exceeds it; a process may hold points that it does not use, at most one batch less one.
 */
export function createBatchedLimiter(shared: SharedCount, points: number, parts: number): Limiter {
  const batch = Math.max(1, Math.floor(points / parts));
  const held = new Map<string, Batch>();
  const asking = new Map<string, Promise<void>>();

  /** The whole batch is counted also where less is left: that rest is for the one whose batch has gone beyond it. */
  const restIn = (refused: unknown) => {
    if (!(refused instanceof RateLimiterRes) || refused.consumedPoints <= points) return undefined;
    const left = points - (refused.consumedPoints - batch);
    return left > 0 ? { left, msBeforeNext: refused.msBeforeNext } : undefined;
  };
  const orRest = (refused: unknown) => {
    const rest = restIn(refused);
    if (!rest) throw refused;
    return rest;
  };
  const take = async (key: string) => {
    const { left, msBeforeNext } = await shared
      .consume(key, batch)
      .then(({ msBeforeNext: ms }) => ({ left: batch, msBeforeNext: ms }), orRest);
    const taken = { left, until: Date.now() + msBeforeNext };
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
