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
