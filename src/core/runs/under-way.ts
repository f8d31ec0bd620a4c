import type { Timestamp } from '../base/ids.js';
import type { RunRecord } from './record.js';

/** What is known of a run when it begins. */
export type RunStart = Pick<
  RunRecord,
  | 'id'
  | 'parentRunId'
  | 'assistantId'
  | 'assistantVersion'
  | 'organizationId'
  | 'userId'
  | 'via'
  | 'conversationId'
  | 'activityId'
  | 'startedAt'
>;

/** The error code of a run whose process ended in the middle of it. */
export const INTERRUPTED = 'interrupted';

/** The runs of this process that have not ended. */
export interface RunsUnderWay {
  begun(start: RunStart): void;
  /** One that could not be recorded stays noted, and so is on record as interrupted later. */
  ended(id: string, isRecorded: boolean): void;
}

/** A process that does not renew the lease of its runs is not there any more. */
export interface RunLease {
  readonly processId: string;
  readonly leaseUntil: Timestamp;
}

/** A note as it was seen: renewed meanwhile, it is another one. */
export interface SeenRun {
  readonly id: string;
  readonly leaseUntil: Timestamp;
}

/** Notes of runs that are under way, in all processes. */
export interface RunNoteStore {
  note(runs: readonly RunStart[], lease: RunLease): Promise<void>;
  renew(ids: readonly string[], leaseUntil: Timestamp): Promise<void>;
  forget(ids: readonly string[]): Promise<void>;
  /** Those whose lease is over. */
  overdue(now: Timestamp): Promise<readonly SeenRun[]>;
  /** Whether any are of another process. */
  hasOthersThan(processId: string): Promise<boolean>;
  /**
   * Makes records of interrupted runs of those that are still as they were seen, however many processes try; one that is
   * on record already loses its note alone. So long before the end of its lease a run was last known to be under way.
   * Returns how many records were made.
   */
  recordInterrupted(seen: readonly SeenRun[], leaseMs: number): Promise<number>;
}
