import type { Timestamp } from '../base/ids.js';
import type { StepCost } from './record.js';

export const USAGE_GROUPS = ['day', 'assistant', 'model', 'user', 'activity'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** Of `userId`, `organizationId` and `ownerId` each lets somebody see what was used; all is seen where none is given. */
export interface UsageFilter {
  readonly userId?: number | undefined;
  readonly organizationId?: number | undefined;
  /** Whose assistants used it, deleted ones included. */
  readonly ownerId?: number | undefined;
  readonly assistantId?: number | undefined;
  readonly activityId?: number | undefined;
  /** All of its activities. */
  readonly courseId?: number | undefined;
  /** Who asked; `userId` says who may see it. */
  readonly askedBy?: number | undefined;
  readonly since: Timestamp;
  readonly before: Timestamp;
}

/** A part of what was used that was paid by one organisation in one currency. */
export interface UsageSlice {
  /** The day, the id of the assistant, the user or the activity (empty where there is none), or `<connector>/<model>`. */
  readonly key: string;
  /** Who pays for it. */
  readonly organizationId: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** By the prices when it was written down, in `COST_UNITS`; absent where none was set then. */
  readonly booked?: StepCost | undefined;
}

/** What somebody's questions came to, with all that was asked on their way. */
export interface QuestionsAsked {
  readonly questions: number;
  readonly tokens: number;
  /** How many of them had a price, and what these came to in `COST_UNITS`. */
  readonly priced: number;
  readonly cost: number;
}

/** Several may have the same key: what they count is added up. */
export interface CountedSlice extends UsageSlice {
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  /** Runs that asked a model, each once for each key. */
  readonly runs: number;
  /** The same, each once in all. */
  readonly runsInAll: number;
  /** Of those, how many asked a model that had no price. */
  readonly unpricedRuns: number;
  /** Of those, how many cost something, or had no price. */
  readonly chargedRuns: number;
}

export interface UsageStore {
  slices(filter: UsageFilter, group: UsageGroup): Promise<readonly CountedSlice[]>;
  /**
   * Adds up by day what the ledger has got since this was done last, a part of it at a time; false when nothing is left to
   * do. What is not added up yet is in every report all the same, and makes it slower.
   */
  addUp(): Promise<boolean>;
  questionsOf(userId: number, since: Timestamp): Promise<QuestionsAsked>;
}
