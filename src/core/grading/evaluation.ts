import type { Caller } from '../access/caller.js';
import type { Assistant } from '../assistants/assistant.js';
import type { Activity } from '../lti/activity.js';
import type { LaunchServices } from '../lti/launch.js';
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

/** Whether an assistant can propose grades: it has the tool that judges with a rubric, and it is switched on. */
export function evaluates({ setup }: Assistant): boolean {
  return setup.tools.some(({ type, enabled }) => type === 'rubric_eval' && enabled);
}

const AGS = 'https://purl.imsglobal.org/spec/lti-ags/scope/';

/** What a teacher is told of a grade that stays here. */
export const NO_GRADES =
  'The learning platform takes no grades for this activity: the grade has to be entered there by hand.';

/** Why the platform would take no grade for an activity; undefined when it would. */
export function whyNoGrades({ gradeScopes, lineItemUrl, lineItemsUrl }: LaunchServices): string | undefined {
  if (lineItemUrl === undefined && lineItemsUrl === undefined) {
    return 'The learning platform offers no place for grades here.';
  }
  if (!gradeScopes.includes(`${AGS}score`)) return 'The learning platform takes no grades from here.';
  const mayLook = ['lineitem', 'lineitem.readonly'].some((scope) => gradeScopes.includes(AGS + scope));
  if (lineItemUrl === undefined && !mayLook) {
    return 'This activity has no grade column in the learning platform, and none may be looked for from here.';
  }
  return undefined;
}
