import type { LaunchRole } from '../core/lti/launch.js';

const CONTEXT = 'http://purl.imsglobal.org/vocab/lis/v2/membership';
const URN = 'urn:lti:role:ims/lis/';
const KINDS_OF_INSTRUCTOR = ['PrimaryInstructor', 'Lecturer', 'GuestInstructor', 'ExternalInstructor'];

/**
 * Whole names, compared letter by letter: part of a name is no role. Teaching assistants run activities and grade for
 * the instructor, so that is what they are here; administrators of the course may do all that its instructors may.
 * Administrators of the institution or the site are not people of the course, and count only as what they are in it.
 */
const INSTRUCTORS: ReadonlySet<string> = new Set([
  `${CONTEXT}#Instructor`,
  `${CONTEXT}#Administrator`,
  `${CONTEXT}/Instructor#TeachingAssistant`,
  ...KINDS_OF_INSTRUCTOR.map((kind) => `${CONTEXT}/Instructor#${kind}`),
  // As rosters and LTI 1.1 say it.
  ...['Instructor', 'TeachingAssistant', 'Administrator'].flatMap((name) => [name, `${URN}${name}`]),
  ...KINDS_OF_INSTRUCTOR.map((kind) => `${URN}Instructor/${kind}`),
  `${URN}TeachingAssistant/TeachingAssistant`,
]);

/** Whoever is not said to teach the course is a learner: the role with the fewest rights. */
export function roleOf(roles: readonly string[]): LaunchRole {
  return roles.some((role) => INSTRUCTORS.has(role)) ? 'instructor' : 'learner';
}
