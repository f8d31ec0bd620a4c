import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { MetricsSnapshot } from '../../telemetry/metrics.js';

/** The serving processes of one machine, as one of them sees the others. */
export interface Peers {
  /** Counts under this name what all of them together have let through. */
  limiter(name: string, most: Allowance): Limiter;
  tell(news: PeerMessage): void;
  /** What the others tell, never one's own. */
  onMessage(listener: (news: PeerMessage) => void): void;
  /** Tells the others what this process has measured, when they ask, and asks all of them, this one included. */
  shareMetrics(own: () => Promise<MetricsSnapshot>): () => Promise<readonly MetricsSnapshot[]>;
}

export interface Allowance {
  readonly points: number;
  readonly seconds: number;
}

/** Rejects with a `RateLimiterRes` when the points are spent. */
export interface Limiter {
  consume(key: string): Promise<unknown>;
}

/** What happens in one process and concerns the others, beyond what they find in the database. */
export interface PeerMessage {
  readonly cancelledCall: CallName;
}

/** For the process that serves by itself. */
export const SINGLE_PROCESS: Peers = {
  limiter: (_name, { points, seconds }) => new RateLimiterMemory({ points, duration: seconds }),
  tell: () => undefined,
  onMessage: () => undefined,
  shareMetrics: (own) => async () => [await own()],
};

/** Who may cancel a call: whoever made it, with the same credential and in the same session. */
export interface CallName {
  readonly credentialId: string;
  /** What the client was told at its start; without it a call cannot be told from another client's of the same number. */
  readonly sessionId: string | undefined;
  readonly requestId: string | number;
}
