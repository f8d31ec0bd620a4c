import { Router } from 'express';
import { overseesOrganization } from '../../access/administrators.js';
import type { Caller } from '../../core/access/caller.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import type { Activity } from '../../core/lti/activity.js';
import type { Stores } from '../../core/stores.js';
import type { Lti } from '../../lti/open.js';
import { createAssistantLookup, idIn, type LookupDeps } from '../assistants/lookup.js';
import type * as wire from '../contract/people/links.js';
import { createActivityLookup } from '../lti/activity/activity-lookup.js';
import { callerOf } from '../middleware/request-facts.js';

const MOST_COUNTED = 200;

type Deps = LookupDeps &
  Pick<Stores, 'activities' | 'links' | 'ltiPeople' | 'platforms'> & { readonly lti: Lti };

/** Where students meet an assistant: what its owner is told beside the links. */
export function audienceRoutes(deps: Deps): Router {
  const { activities, links, platforms, lti } = deps;
  const find = createAssistantLookup(deps);
  const { placersOf } = createActivityLookup(deps);

  /** Others' activities are counted, and not named. */
  const mayName = async (caller: Caller, { id, organizationId }: Assistant) => {
    if (overseesOrganization(caller, organizationId)) return () => true;
    const own = new Set(await placersOf(caller));
    return ({ assistants }: Activity) =>
      assistants.some(({ assistantId, addedBy }) => assistantId === id && own.has(addedBy));
  };

  return Router().get('/lamb/v1/assistants/:id/audience', async (req, res) => {
    const caller = callerOf(res);
    const assistant = await find.toEdit(idIn(req.params), caller, 'read audience');
    const { id: assistantId, organizationId } = assistant;
    const { data: holding } = await activities.list({ assistantId }, { limit: MOST_COUNTED });
    const named = holding.filter(await mayName(caller, assistant));
    const registered = await platforms.list({ organizationId }, { limit: MOST_COUNTED });
    const audience: wire.Audience = {
      activities: {
        count: holding.length,
        named: named.map(({ title, course, platformName }) => ({
          ...{ title, course_title: course.title, platform_name: platformName },
        })),
      },
      platforms: registered.data.filter(({ enabled }) => enabled).map(({ name, kind }) => ({ name, kind })),
      links: await links.count(assistantId),
      launch_url: `${lti.publicUrl}/lti/launch`,
    };
    res.json(audience);
  });
}
