import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Allowance } from '../core/access/rate-limit.js';
import type { MetricsSnapshot } from '../telemetry/metrics.js';

/** The serving processes, as one of them sees the others: those of one machine, or of all (`src/workers/replicas.ts`). */
export interface Peers {
  /** Counts under this name what all of them together have let through. */
  limiter(name: string, most: Allowance): Limiter;
  tell(news: PeerMessage): void;
  /** What the others tell, never one's own. */
  onMessage(listener: (news: PeerMessage) => void): void;
  /** Tells the others what this process has measured, when they ask, and asks all of them, this one included. */
  shareMetrics(own: () => Promise<MetricsSnapshot>): () => Promise<readonly MetricsSnapshot[]>;
}

/** Rejects with a `RateLimiterRes` when the points are spent. */
export interface Limiter {
  consume(key: string): Promise<unknown>;
}

/** What happens in one process and concerns the others, beyond what they find in the database. */
export type PeerMessage =
  /** By what a client calls it, hashed: whoever hears of it learns nothing, and it is short. */
  | { readonly cancelledCall: string }
  /** An organisation's settings have changed: its embedding model may answer again. */
  | { readonly reconfigured: number };

/** For the process that serves by itself. */
export const SINGLE_PROCESS: Peers = {
  limiter: (_name, { points, seconds }) => new RateLimiterMemory({ points, duration: seconds }),
  tell: () => undefined,
  onMessage: () => undefined,
  shareMetrics: (own) => async () => [await own()],
};
