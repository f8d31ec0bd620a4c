import { Router } from 'express';
import { z } from 'zod';
import { createMoodleClient } from '../../clients/moodle/client.js';
import { deedOf } from '../../core/access/audit.js';
import { faultOfAddress } from '../../core/base/text.js';
import { type MoodleSettings, moodleSite } from '../../core/clients/moodle.js';
import { badRequest, conflict, notConfigured } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import { MASK } from '../../core/organizations/config-secrets.js';
import type { Settings } from '../../core/runs/run-context.js';
import type { Stores } from '../../core/stores.js';
import { type CheckedPerson, checkMoodle } from '../../organizations/moodle-check.js';
import { launchedPerson, type LearnersPlace } from '../../organizations/moodle-person.js';
import type * as wire from '../contract/admin.js';
import { createAdministration } from '../middleware/administration.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';

const CALL_MS = 10_000;
const ALTOGETHER_MS = 30_000;

export const Address = z.object({ id: z.coerce.number().int().positive() });
const MoodleId = z.number().int().positive().max(999_999_999_999_999);
export const Asked = z
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

/** As they were named; else who came last to learn. */
async function personIn(
  { email, user_id }: z.output<typeof Asked>,
  place: LearnersPlace,
): Promise<CheckedPerson> {
  if (email !== undefined) return { email, courses: [] };
  const person = await launchedPerson(place, user_id);
  if (person) return person;
  throw conflict(
    'No student has come from this Moodle yet: name one by their e-mail address or by their number in Moodle.',
  );
}
