import type { Timestamp } from '../base/ids.js';

/** Runs, their steps and the ledger by months, which one setting says how many are kept of. */
export interface RunMonthStore {
  /** Sees to it that what is written in the next months has a place of its own that can be dropped; how many were made. */
  makeAhead(now: Date): Promise<number>;
  /**
   * From then on the sums of all days before it are for good, and their rows are not needed for any report. False while
   * something of those days is not added up yet.
   */
  close(before: Timestamp): Promise<boolean>;
  /** Lets go of months that are over before it, and are closed; how many parts went. What is in use stays until the next time. */
  dropMonths(before: Timestamp): Promise<number>;
  /** Deletes some of what is left of before it, and is closed; how many rows. */
  deleteSome(before: Timestamp): Promise<number>;
}
