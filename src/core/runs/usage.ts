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
  readonly since: Timestamp;
  readonly before: Timestamp;
}

/** Whose model it was, and who pays for it. */
export interface UsedModel {
  readonly organizationId: number;
  readonly connector: string;
  readonly model: string;
}

/** What one model was used for within one group. */
export interface UsageSlice extends UsedModel {
  /** The day, the id of the assistant, the user or the activity (empty where there is none), or `<connector>/<model>`. */
  readonly key: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** By the prices when it was written down, in `COST_UNITS`; absent where none was set then. */
  readonly booked?: StepCost | undefined;
}

export interface UsageStore {
  slices(filter: UsageFilter, group: UsageGroup): Promise<readonly UsageSlice[]>;
  /** How many runs asked a model, by the same keys. */
  runs(filter: UsageFilter, group: UsageGroup): Promise<ReadonlyMap<string, number>>;
  /** All of them, each once; or those that asked one of these models. */
  runCount(filter: UsageFilter, models?: readonly UsedModel[]): Promise<number>;
}
