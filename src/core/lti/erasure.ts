import type { Timestamp } from '../base/ids.js';

/** Somebody's wish to have their data of one activity erased: all that there was when they said so. */
export interface Erasure {
  readonly id: number;
  readonly activityId: number;
  readonly userId: number;
  readonly askedAt: Timestamp;
}

/** Of one activity what is older than that. */
export interface PastItsDate {
  readonly activityId: number;
  readonly before: Timestamp;
}

export interface DueRun {
  readonly id: string;
  readonly userId: number;
}

/**
 * What makes data of activities gone, from every table. Each call takes some rows in one transaction, few enough that
 * nobody waits long for it; lists tell what is left to do, so that whoever comes next can go on.
 */
export interface ErasureStore {
  /** From that moment on nobody sees any of it, and the visits are over. */
  beginErasure(activityId: number, userId: number): Promise<Erasure>;
  /** Those that are not at their end. */
  erasures(): Promise<readonly Erasure[]>;
  /** How many conversations; 0 when none is left. */
  eraseConversations(erasure: Erasure): Promise<number>;
  runsToErase(erasure: Erasure): Promise<readonly DueRun[]>;
  /** The last step. */
  endErasure(erasure: Erasure): Promise<void>;

  /** By id, from the one after that. */
  retentions(
    after: number,
  ): Promise<readonly { readonly activityId: number; readonly retentionDays: number }[]>;
  forgetConversations(past: PastItsDate): Promise<number>;
  dueRuns(past: PastItsDate): Promise<readonly DueRun[]>;
  /** With their steps; what they cost stays on the books, and what was refused in the audit, as nobody's. */
  eraseRuns(runs: readonly DueRun[]): Promise<void>;
  /** Save what is approved and still has to be told to the platform. */
  forgetSubmissions(past: PastItsDate): Promise<number>;
  /** Those who have not come since, and of whom nothing else is left there. */
  absentees(past: PastItsDate): Promise<readonly number[]>;
  eraseParticipants(past: PastItsDate, userIds: readonly number[]): Promise<number>;
  /** What was being said while its speaker was erased, and was written down afterwards. */
  strays(activityId: number, since: Timestamp): Promise<readonly DueRun[]>;
  forgetStrayConversations(activityId: number, since: Timestamp): Promise<number>;
  /** Questions that nobody can answer any more. */
  forgetApprovals(now: Timestamp): Promise<number>;

  /** People of platforms of whom nothing is left, by id, from the one after that. */
  unneeded(after: number, knownBefore: Timestamp): Promise<readonly number[]>;
  isUnneeded(userId: number): Promise<boolean>;
  /** False when something of theirs is there after all. */
  erasePerson(userId: number): Promise<boolean>;
}
