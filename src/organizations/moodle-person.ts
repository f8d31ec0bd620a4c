import { moodleSite } from '../core/clients/moodle.js';
import type { LtiPlatform } from '../core/lti/platform.js';
import type { Stores } from '../core/stores.js';
import type { CheckedPerson } from './moodle-check.js';

const MOST_PLATFORMS = 100;

export interface LearnersPlace extends Pick<Stores, 'participants' | 'platforms'> {
  readonly organizationId: number;
  readonly siteUrl: string;
}

/**
 * Whom Moodle can be asked about: the person of this number in it, else who came last to learn from a platform of that
 * site. What launches say of their courses goes with them. Undefined when nobody has come.
 */
export async function launchedPerson(
  { participants, platforms, organizationId, siteUrl }: LearnersPlace,
  moodleId?: number,
): Promise<CheckedPerson | undefined> {
  const { data } = await platforms.list({ organizationId }, { limit: MOST_PLATFORMS });
  const ofSite = data.filter((platform) => siteOf(platform) === siteUrl).map(({ id }) => id);
  const subject = moodleId === undefined ? undefined : String(moodleId);
  const learners = await participants.learnersFrom(ofSite, subject);
  const userId = moodleId ?? learners.map((learner) => idIn(learner.subject)).find((id) => id !== undefined);
  if (userId === undefined) return undefined;
  const courses = new Map<number, boolean>();
  for (const { courseId, hasColumn, ...learner } of learners) {
    const course = idIn(courseId);
    if (learner.subject !== String(userId) || course === undefined) continue;
    courses.set(course, hasColumn || courses.get(course) === true);
  }
  return { userId, courses: [...courses].map(([id, hasColumn]) => ({ id, hasColumn })) };
}

/** What Moodle calls people and courses is a number; other platforms may say it otherwise. */
const idIn = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);

const siteOf = (platform: LtiPlatform) =>
  moodleSite((platform.kind === '1.3' ? platform.issuer : platform.siteUrl) ?? '');
