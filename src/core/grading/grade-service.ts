import type { LaunchServices } from '../lti/launch.js';

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
