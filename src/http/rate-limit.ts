import type { RequestHandler } from 'express';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { rateLimited } from '../core/errors.js';
import { callerOf } from './request-facts.js';
import type { Limiter, Siblings } from './siblings.js';

/** So many requests a minute for each key or session; 0 switches it off. */
export function limitRequests(perMinute: number, siblings: Siblings): RequestHandler {
  if (perMinute === 0) {
    return (_req, _res, next) => {
      next();
    };
  }
  const take = refusing(siblings.limiter('requests', { points: perMinute, seconds: 60 }));
  return async (_req, res, next) => {
    await take(callerOf(res).credentialId, 'Too many requests with this key.');
    next();
  };
}

/** Throws a 429 that says when to come back. */
export function refusing(limiter: Limiter) {
  return async (key: string, message: string): Promise<void> => {
    try {
      await limiter.consume(key);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const wait = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
      throw rateLimited(`${message} Try again in ${String(wait)} s.`, wait);
    }
  };
}
