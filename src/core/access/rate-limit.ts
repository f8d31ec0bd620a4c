import type { Timestamp } from '../base/ids.js';

export interface Allowance {
  readonly points: number;
  readonly seconds: number;
}

/** Counts what all processes let through. */
export interface SharedCount {
  /** Rejects with a `RateLimiterRes` when so many are not left. */
  consume(key: string, points: number): Promise<{ readonly msBeforeNext: number }>;
}

/** Counts in the database, for processes that share nothing else. */
export interface RateLimitStore {
  counter(name: string, most: Allowance): SharedCount;
  /** Takes away counts of times that are over. */
  sweep(at: Timestamp): Promise<number>;
}
