import { randomBytes, randomUUID } from 'node:crypto';
import type { Activity, ActivityChange } from '../../src/core/lti/activity.js';
import type { LaunchFacts, LaunchRole } from '../../src/core/lti/launch.js';
import type { LtiPlatform } from '../../src/core/lti/platform.js';
import { createSecretBox, readSecretKey } from '../../src/security/secret-box.js';
import { hashToken } from '../../src/security/tokens.js';
import { inDatabase, type Person } from '../http/support/users-fixture.js';
import { uniqueName } from './fakes/fakes.js';
import type { Service } from './service.js';

/** People whom a platform's launch brought, put where a launch leaves them. */

type Data = Pick<Service, 'dataDir'>;
type LinkFacts = LaunchFacts & { readonly kind: 'activity' };

/** Somebody in the middle of a visit; `key` is the visit's token. */
export interface Visitor extends Person {
  readonly sessionId: string;
  readonly subject: string;
}

/** A Moodle of this organisation. */
export const aLearningPlatform = (
  service: Data,
  { organizationId }: Pick<Person, 'organizationId'>,
): Promise<LtiPlatform> =>
  inDatabase(service, ({ platforms }) => {
    const issuer = `https://${uniqueName('moodle')}.example`;
    return platforms.create(organizationId, {
      ...{ kind: '1.3', name: 'Moodle', enabled: true, issuer, clientId: 'client', deploymentIds: ['1'] },
      authLoginUrl: `${issuer}/auth`,
      authTokenUrl: `${issuer}/token`,
      keySetUrl: `${issuer}/certs`,
    });
  });

/** A link in a course, as its first launch makes it; configured when there is something to configure. */
export const anActivity = (
  service: Data,
  platform: LtiPlatform,
  change?: ActivityChange,
  facts: Partial<LinkFacts> = {},
): Promise<Activity> =>
  inDatabase(service, async ({ activities }) => {
    const launch = factsOf(platform, uniqueName('teacher'), facts) as LinkFacts;
    const met = await activities.findOrCreate(platform.organizationId, launch);
    return (change && (await activities.change(met.id, change))) ?? met;
  });

export interface VisitFacts {
  /** Somebody new unless given. */
  readonly subject?: string;
  readonly role?: LaunchRole;
  /** Without one they choose content for a link that does not exist yet. */
  readonly activity?: Activity;
  readonly expiresAt?: string;
  /** What the platform said, beside the usual. */
  readonly facts?: Partial<LaunchFacts>;
}

/** Somebody who came by a launch: a learner unless told otherwise. */
export async function aVisitor(
  service: Data,
  platform: LtiPlatform,
  { subject = uniqueName('subject'), role = 'learner', activity, expiresAt = LATER, facts = {} }: VisitFacts,
): Promise<Visitor> {
  const box = createSecretBox(await readSecretKey({ secretKey: undefined, dataDir: service.dataDir }));
  const said = { ...factsOf(platform, subject, activity ? {} : DEEP_LINKING), role, ...facts };
  return inDatabase(service, async ({ launches, ltiPeople, participants, users }) => {
    const { userId } = await ltiPeople.findOrCreate(platform, subject);
    if (activity) await participants.join(activity.id, userId, role);
    const [key, sessionId] = [`bwl_${randomBytes(32).toString('hex')}`, randomUUID()];
    await launches.open({
      ...{ id: sessionId, userId, platformId: platform.id, activityId: activity?.id ?? null, role },
      ...{ courseId: '2', browserHash: hashToken(randomUUID()), tokenHash: hashToken(key), expiresAt },
      facts: box.seal(JSON.stringify(said)),
    });
    const { email, organizationId } = (await users.byId(userId))!;
    return { id: userId, email, organizationId, key, sessionId, subject };
  });
}

const LATER = '2999-01-01T00:00:00.000Z';

const DEEP_LINKING = {
  kind: 'deep_link',
  settings: { returnUrl: 'https://moodle.example/return', acceptMultiple: true, acceptLineItem: true },
} as const;

function factsOf({ id }: LtiPlatform, subject: string, more: Partial<LaunchFacts>): LaunchFacts {
  return {
    ...{ kind: 'activity', link: { id: uniqueName('link'), title: 'AI tutor' } },
    ...{ platformId: id, deploymentId: '1', subject, role: 'learner', name: 'Sam Student', locale: 'en' },
    ...{ course: { id: '2', title: 'Biology 101' }, custom: {}, services: { gradeScopes: [] } },
    ...{ returnUrl: 'https://moodle.example/course', openedIn: 'iframe' },
    ...more,
  } as LaunchFacts;
}
