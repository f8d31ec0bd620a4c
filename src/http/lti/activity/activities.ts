import { Router } from 'express';
import { z } from 'zod';
import { createActivityPlans } from '../../../activities/change.js';
import { createUsableAssistants } from '../../../activities/usable-assistants.js';
import type { AccessPolicy } from '../../../core/access/access.js';
import { deedOf } from '../../../core/access/audit.js';
import type { Caller } from '../../../core/access/caller.js';
import { invalidFields, notFound } from '../../../core/errors.js';
import type { Activity, ActivityChange, ActivityFilter } from '../../../core/lti/activity.js';
import type { Stores } from '../../../core/stores.js';
import { parseWith } from '../../middleware/json-body.js';
import { type Act, type PublishGate } from '../../../scenarios/gate.js';
import { PageQuery, pageOf } from '../../middleware/query.js';
import { callerOf } from '../../middleware/request-facts.js';
import { ActivityBody, createActivityShow, wantedActivity } from './activity-body.js';
import { createActivityLookup, nameOfActivity } from './activity-lookup.js';

export const Id = z.object({ id: z.coerce.number().int().positive() });
export const ListQuery = PageQuery.extend({
  platform_id: z.coerce.number().int().positive().optional(),
  q: z.string().min(1).max(200).optional(),
});

interface Deps extends Pick<Stores, 'activities' | 'assistants' | 'audit' | 'ltiPeople' | 'users'> {
  readonly policy: AccessPolicy;
  readonly gate: PublishGate;
}

/** Links in courses and what is behind them: for those who teach there, and those who look after the organisation. */
export function ltiActivities(deps: Deps): Router {
  const { activities, assistants, audit, ltiPeople, users, policy, gate } = deps;
  const usable = createUsableAssistants({ ltiPeople, users, policy });
  const show = createActivityShow({ assistants, usable, gate });
  const find = createActivityLookup({ activities, audit, ltiPeople });
  const plan = createActivityPlans({ assistants, policy, usable });
  const idIn = (params: unknown) => parseWith(Id, params, 'The address').id;

  const reachOf = async (caller: Caller): Promise<Pick<ActivityFilter, 'organizationId' | 'addedBy'>> => {
    const { role, organizationId } = caller;
    if (role === 'system_admin') return {};
    return role === 'org_admin'
      ? { organizationId }
      : { organizationId, addedBy: await find.placersOf(caller) };
  };

  return Router()
    .get('/lamb/v1/lti/activities', async (req, res) => {
      const { platform_id: platformId, q, ...page } = parseWith(ListQuery, req.query, 'The query');
      const reach = await reachOf(callerOf(res));
      const { data, nextCursor } = await activities.list({ ...reach, platformId, q }, page);
      const shown = await Promise.all(data.map((activity) => show.toTeacher(activity)));
      res.json(pageOf({ data: shown, nextCursor }, (activity) => activity));
    })
    .get('/lamb/v1/lti/activities/:id', async (req, res) => {
      const found = await find.toConfigure(idIn(req.params), callerOf(res), 'read activity');
      res.json(await show.toTeacher(found));
    })
    .patch('/lamb/v1/lti/activities/:id', async (req, res) => {
      const caller = callerOf(res);
      const activity = await find.toConfigure(idIn(req.params), caller, 'change activity');
      const body = parseWith(ActivityBody, req.body);
      const accounts = await usable.accountsOf(caller);
      const { change, faults } = await plan(wantedActivity(body), { activity, accounts });
      if (faults.length > 0) {
        const told = faults.map(({ message }) => message).join(' ');
        throw invalidFields(`This activity cannot be set up so: ${told}`, faults);
      }
      await mayBeSo(change, activity, { caller, accounts, override: body.override }, deps);
      const changed = await activities.change(activity.id, change);
      if (!changed) throw notFound('The activity');
      const reason = `changed ${Object.keys(body).join(', ')}`;
      await audit.record(
        deedOf(caller, { action: 'change activity', resource: nameOfActivity(activity), reason }),
      );
      res.json(await show.toTeacher(changed));
    });
}

/** What is placed here, or held to a version, has to have passed what it must. */
async function mayBeSo(
  { assistants: placed, pinnedVersion }: ActivityChange,
  before: Activity,
  act: Act,
  { assistants, gate }: Deps,
): Promise<void> {
  const there = new Set(before.assistants.map(({ assistantId }) => assistantId));
  const now = placed ?? before.assistants;
  for (const { assistantId } of now) {
    const isNew = !there.has(assistantId);
    const isPinned = pinnedVersion != null && (isNew || pinnedVersion !== before.pinnedVersion);
    const assistant = isNew || isPinned ? await assistants.get(assistantId) : undefined;
    if (!assistant) continue;
    if (isPinned) await gate.beforePinning(assistant, pinnedVersion, act);
    else await (await gate.beforeOpening(assistant, act))(assistant);
  }
}
