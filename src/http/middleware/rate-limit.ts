import { RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../../core/access/caller.js';
import { rateLimited } from '../../core/errors.js';
import type { Limiter, Peers } from '../peers.js';

/** Throws when this credential has had its share for now. */
export type RequestLimit = (caller: Caller) => Promise<void> | void;

/** So many requests a minute for each key or session; 0 switches it off. */
export function createRequestLimit(perMinute: number, peers: Peers): RequestLimit {
  if (perMinute === 0) return () => undefined;
  const take = refusing(peers.limiter('requests', { points: perMinute, seconds: 60 }));
  return ({ credentialId }) => take(credentialId, 'Too many requests with this key.');
}

/** Throws a 429 that says when to come back, under a code of its own where there is one. */
export function refusing(limiter: Limiter, code?: string) {
  return async (key: string, message: string): Promise<void> => {
    try {
      await limiter.consume(key);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const wait = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      throw rateLimited(
        `${message} Try again in ${String(wait)} s.`,
        wait,
        code === undefined ? {} : { code },
      );
    }
  };
}
