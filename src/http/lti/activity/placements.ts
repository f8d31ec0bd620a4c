import { Router } from 'express';
import { z } from 'zod';
import { createUsableAssistants } from '../../../activities/usable-assistants.js';
import type { AccessPolicy } from '../../../core/access/access.js';
import { deedOf } from '../../../core/access/audit.js';
import { conflict, invalidFields } from '../../../core/errors.js';
import type { Stores } from '../../../core/stores.js';
import type { Lti } from '../../../lti/open.js';
import type { Placements } from '../../../security/lti-placement.js';
import { parseWith } from '../../middleware/json-body.js';
import { launchedInstructorOf } from '../../middleware/request-facts.js';
import { AssistantIds } from './activity-body.js';
import { createPlacementLinks } from './placement-links.js';
import { createFactsOfVisit, type VisitDeps } from './visit-facts.js';

const Chosen = z.strictObject({
  assistant_ids: AssistantIds.min(1),
  together: z.boolean().default(false),
  score_maximum: z.number().positive().max(100_000).optional(),
});

type Deps = VisitDeps &
  Pick<Stores, 'assistants' | 'audit' | 'ltiPeople' | 'platforms' | 'users'> & {
    readonly policy: AccessPolicy;
    readonly lti: Lti;
    readonly placements: Placements;
  };

/** Whoever makes a link in a course chooses what is behind it; the platform gets it signed, through their browser. */
export function ltiSessionPlacements(deps: Deps): Router {
  const { assistants, audit, lti, placements, platforms } = deps;
  const usable = createUsableAssistants(deps);
  const linksFor = createPlacementLinks({ assistants, usable, placements });
  const factsOf = createFactsOfVisit(deps);

  return Router().post('/lamb/v1/lti/session/placements', async (req, res) => {
    const caller = launchedInstructorOf(res);
    const body = parseWith(Chosen, req.body);
    const facts = await factsOf(caller);
    const platform = await platforms.get(caller.launch.platformId);
    if (facts.kind !== 'deep_link' || platform?.kind !== '1.3') {
      throw conflict('Your learning platform has not asked for anything to be chosen.');
    }

    const { settings, deploymentId } = facts;
    const chosen = {
      ...{ assistantIds: body.assistant_ids, together: body.together, scoreMaximum: body.score_maximum },
    };
    const accounts = await usable.accountsOf(caller);
    const { links, faults } = await linksFor(chosen, { platformId: platform.id, accounts, settings });
    if (faults.length > 0) {
      const told = faults.map(({ message }) => message).join(' ');
      throw invalidFields(`This cannot be placed: ${told}`, faults);
    }
    const protocol = await lti.protocol();
    const jwt = await protocol.deepLinkAnswer({ platform, deploymentId, data: settings.data, links });
    const reason = `assistants ${body.assistant_ids.join(', ')}`;
    const resource = `LTI platform ${String(platform.id)}`;
    await audit.record(deedOf(caller, { action: 'place assistants', resource, reason }));
    res.json({ return_url: settings.returnUrl, jwt });
  });
}
