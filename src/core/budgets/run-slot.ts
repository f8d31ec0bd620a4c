import type { OrganizationLimits } from '../organizations/limits.js';
import type { BudgetSettlement } from './budget.js';

/** A run that somebody wants to begin. */
export interface StartingRun {
  readonly runId: string;
  /** Whose assistant it is, and whose limits hold. */
  readonly organizationId: number;
  readonly userId: number;
  readonly limits: OrganizationLimits;
  readonly signal: AbortSignal;
}

/** A place among the runs that an organisation lets go on at the same time. */
export interface RunSlot {
  /** Booked with the run's record. */
  readonly settlement: BudgetSettlement;
  /** It has been: whoever waits may come in. */
  released(): void;
  /** Given back without a record. */
  giveBack(): Promise<void>;
}

/**
 * Lets a run begin within its organisation's limits; undefined where nothing limits how many go on at the same time. Waits
 * for a while when all places are taken; then, and when there were too many within a minute, it refuses with 429.
 */
export type AdmitRun = (run: StartingRun) => Promise<RunSlot | undefined>;
