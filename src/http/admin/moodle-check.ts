import { Router } from 'express';
import { z } from 'zod';
import { createMoodleClient } from '../../clients/moodle/client.js';
import { deedOf } from '../../core/access/audit.js';
import { faultOfAddress } from '../../core/base/text.js';
import { type MoodleSettings, moodleSite } from '../../core/clients/moodle.js';
import { badRequest, conflict, notConfigured } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import type { LtiPlatform } from '../../core/lti/platform.js';
import { MASK } from '../../core/organizations/config-secrets.js';
import type { Settings } from '../../core/runs/run-context.js';
import type { Stores } from '../../core/stores.js';
import { type CheckedPerson, checkMoodle } from '../../organizations/moodle-check.js';
import type * as wire from '../contract/admin.js';
import { createAdministration } from '../middleware/administration.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';

const CALL_MS = 10_000;
const ALTOGETHER_MS = 30_000;
const MOST_PLATFORMS = 100;

const Address = z.object({ id: z.coerce.number().int().positive() });
const MoodleId = z.number().int().positive().max(999_999_999_999_999);
const Asked = z
  .strictObject({
    email: z.string().trim().min(3).max(320).optional(),
    user_id: MoodleId.optional(),
    token: z.string().trim().max(2_000).optional(),
    api_url: z
      .string()
      .trim()
      .max(2_000)
      .refine(
        (text) => text === '' || faultOfAddress(text) === undefined,
        'must be an http:// or https:// URL',
      )
      .optional(),
  })
  .refine(({ email, user_id }) => email === undefined || user_id === undefined, {
    message: 'Name the person by one of the two: email or user_id.',
    path: ['user_id'],
  });

interface Deps extends Pick<Stores, 'audit' | 'organizations' | 'participants' | 'platforms' | 'users'> {
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
  /** For addresses that an administrator has set. */
  readonly fetchTrusted: typeof fetch;
  readonly log: Logger;
}

/** What Moodle shows of a student, and what the token's user lacks. Of what it shows, nothing but numbers goes on. */
export function moodleCheck(deps: Deps): Router {
  const { audit, settingsOf, fetchTrusted, log } = deps;
  const office = createAdministration(deps);
  return Router().post('/lamb/v1/organizations/:id/moodle/check', async (req, res) => {
    const caller = callerOf(res);
    const { id } = parseWith(Address, req.params, 'The address');
    const deed = { caller, action: 'check Moodle' };
    await office.organization(id, deed);
    const body = parseWith(Asked, req.body ?? {});
    const settings = settingsFor(body, (await settingsOf(id)).moodle);
    const person = await personIn(body, { ...deps, organizationId: id, siteUrl: settings.siteUrl });

    const startedAt = performance.now();
    const call = createMoodleClient({ settings, fetch: fetchTrusted, timeoutMs: CALL_MS, log });
    const { ok, userId, findings } = await checkMoodle(person, {
      ...{ call, signal: AbortSignal.timeout(ALTOGETHER_MS) },
    });
    const ms = Math.round(performance.now() - startedAt);
    const amiss = findings.filter((each) => each.ok === false).map(({ name }) => name);
    const reason = ok ? 'nothing amiss' : `amiss: ${amiss.join(', ')}`;
    const resource = `organisation ${String(id)}`;
    await audit.record(deedOf(caller, { action: deed.action, resource, reason }));
    const answer: wire.MoodleCheck = { ok, ms, user_id: userId ?? null, checks: findings };
    res.json(answer);
  });
}

/** A stored token goes where it was stored to go: whoever may not read it cannot have it sent to themselves. */
function settingsFor(
  { token, api_url }: z.output<typeof Asked>,
  stored: MoodleSettings | undefined,
): Pick<MoodleSettings, 'siteUrl' | 'token'> {
  const siteUrl = api_url === undefined ? stored?.siteUrl : moodleSite(api_url);
  if (siteUrl === undefined) throw notConfigured('Moodle');
  if (token !== undefined && token !== MASK) return { siteUrl, token };
  if (!stored) throw notConfigured('Moodle');
  if (siteUrl === stored.siteUrl) return stored;
  throw badRequest(
    'Enter the token again: a stored token is sent to no other address than its own.',
    'token',
  );
}

interface Place extends Pick<Deps, 'participants' | 'platforms'> {
  readonly organizationId: number;
  readonly siteUrl: string;
}

/** As they were named; else who came last to learn. What launches say of their courses goes with them. */
async function personIn({ email, user_id }: z.output<typeof Asked>, place: Place): Promise<CheckedPerson> {
  if (email !== undefined) return { email, courses: [] };
  const { participants, platforms, organizationId, siteUrl } = place;
  const { data } = await platforms.list({ organizationId }, { limit: MOST_PLATFORMS });
  const ofSite = data.filter((platform) => siteOf(platform) === siteUrl).map(({ id }) => id);
  const subject = user_id === undefined ? undefined : String(user_id);
  const learners = await participants.learnersFrom(ofSite, subject);
  const userId = user_id ?? learners.map((learner) => idIn(learner.subject)).find((id) => id !== undefined);
  if (userId === undefined) {
    throw conflict(
      'No student has come from this Moodle yet: name one by their e-mail address or by their number in Moodle.',
    );
  }
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
