import { overseesOrganization } from '../../../access/administrators.js';
import { denialOf } from '../../../core/access/audit.js';
import type { Caller, LaunchedCaller } from '../../../core/access/caller.js';
import { forbidden, notFound } from '../../../core/errors.js';
import type { Activity } from '../../../core/lti/activity.js';
import type { Stores } from '../../../core/stores.js';

/** Finds activities for routes. One that is not the caller's to know of does not exist for them; that they tried is kept. */
export interface ActivityLookup {
  /** The one that a launch has brought them to. */
  visited(id: number, caller: LaunchedCaller, action: string): Promise<Activity>;
  /** One that they teach, have placed something in, or look after. */
  toConfigure(id: number, caller: Caller, action: string): Promise<Activity>;
  /** Who they are where they have placed something. */
  placersOf(caller: Caller): Promise<readonly number[]>;
}

type Deps = Pick<Stores, 'activities' | 'audit' | 'ltiPeople'>;

export function createActivityLookup({ activities, audit, ltiPeople }: Deps): ActivityLookup {
  const refuse = async (
    caller: Caller,
    id: number,
    why: { readonly action: string; readonly reason: string },
  ) => audit.record(denialOf(caller, { ...why, resource: nameOfActivity({ id }) }));

  const visited: ActivityLookup['visited'] = async (id, caller, action) => {
    const activity = await activities.get(id);
    if (activity && caller.launch.activityId === id) return activity;
    if (activity) await refuse(caller, id, { action, reason: 'another activity' });
    throw notFound('The activity');
  };
  const placersOf = async ({ userId }: Caller) => {
    const visitors = await ltiPeople.linkedTo(userId);
    return [userId, ...visitors.map((visitor) => visitor.userId)];
  };
  const isTheirs = async (activity: Activity, caller: Caller): Promise<boolean> => {
    if (overseesOrganization(caller, activity.organizationId)) return true;
    if (activity.organizationId !== caller.organizationId) return false;
    const placers = await placersOf(caller);
    return activity.assistants.some(({ addedBy }) => placers.includes(addedBy));
  };

  return {
    visited,
    placersOf,
    async toConfigure(id, caller, action) {
      const { launch } = caller;
      if (launch) {
        const activity = await visited(id, { ...caller, launch }, action);
        if (launch.role === 'instructor') return activity;
        await refuse(caller, id, { action, reason: 'a learner' });
        throw forbidden('This is for those who teach the course.');
      }
      const activity = await activities.get(id);
      if (!activity) throw notFound('The activity');
      if (await isTheirs(activity, caller)) return activity;
      await refuse(caller, id, { action, reason: 'not theirs to configure' });
      throw notFound('The activity');
    },
  };
}

/** For the audit. */
export function nameOfActivity({ id }: Pick<Activity, 'id'>): string {
  return `activity ${String(id)}`;
}
