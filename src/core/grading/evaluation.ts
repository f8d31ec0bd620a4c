import type { Caller } from '../access/caller.js';
import type { Activity } from '../lti/activity.js';
import type { GradingRubric, RubricEvaluation } from './grading.js';

/** A work, where it was handed in, and by whom: they are who the run is for. */
export interface WorkToEvaluate {
  readonly activity: Activity;
  readonly caller: Caller;
  readonly text: string;
  readonly signal: AbortSignal;
}

export interface Evaluation {
  /** What works are judged by in an activity; throws when they cannot be judged there for this person. */
  rubricFor(activity: Activity, caller: Caller): Promise<GradingRubric>;
  /** Throws what may be shown. */
  evaluate(work: WorkToEvaluate): Promise<RubricEvaluation>;
}
