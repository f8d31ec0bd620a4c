import { randomUUID } from 'node:crypto';

/** Later ones sort after earlier ones, so that every index by run grows at its end instead of all over. */
export function newRunId(): string {
  // A UUID of version 7: the time, then 74 random bits.
  return `${runIdsSince(Date.now())}-7${randomUUID().slice(15)}`;
}

/** Ids that are given at this time or later sort after it, and all others before it. */
export function runIdsSince(ms: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `run_${time.slice(0, 8)}-${time.slice(8)}`;
}

export function newRequestId(): string {
  return `req_${randomUUID()}`;
}

/** Times are ISO 8601 in UTC, as text: the same in every database and on the wire. */
export type Timestamp = string;

export interface PageRequest {
  readonly limit: number;
  /** What an earlier page gave as `nextCursor`. */
  readonly cursor?: string | undefined;
}

export interface Page<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}
