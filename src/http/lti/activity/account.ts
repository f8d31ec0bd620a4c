import { Router } from 'express';
import { z } from 'zod';
import type { LaunchedCaller } from '../../../core/access/caller.js';
import { deedOf } from '../../../core/access/audit.js';
import { conflict, forbidden, notFound } from '../../../core/errors.js';
import type { Stores } from '../../../core/stores.js';
import { nameOfActivity } from './activity-lookup.js';
import { parseWith } from '../../middleware/json-body.js';
import { launchedCallerOf } from '../../middleware/request-facts.js';
import { createFactsOfVisit, type VisitDeps } from './visit-facts.js';

/** They say what they agree to, so that nobody agrees to what has changed meanwhile. */
const Consent = z.strictObject({ policy: z.literal('named') });

type Deps = VisitDeps & Pick<Stores, 'audit' | 'participants'>;

/** Whether somebody who learns agrees to be read by name. */
export function ltiSessionConsent({ audit, box, launches, participants }: Deps): Router {
  const factsOf = createFactsOfVisit({ launches, box });
  const keep = ({ activityId: id, ...caller }: Learner, action: string) =>
    audit.record(deedOf(caller, { action, resource: nameOfActivity({ id }) }));

  return Router()
    .post('/lamb/v1/lti/session/consent', async (req, res) => {
      const caller = learnerIn(launchedCallerOf(res));
      parseWith(Consent, req.body);
      const { name } = await factsOf(caller);
      const sealed = name === '' ? null : box.seal(name);
      const givenAt = await participants.giveConsent(caller.activityId, caller.userId, sealed);
      if (givenAt === undefined) throw conflict('Nobody is named in this activity.');
      await keep(caller, 'consent to be named');
      res.json({ consent: { needed: false, given_at: givenAt } });
    })
    .delete('/lamb/v1/lti/session/consent', async (_req, res) => {
      const caller = learnerIn(launchedCallerOf(res));
      await participants.withdrawConsent(caller.activityId, caller.userId);
      await keep(caller, 'withdraw consent to be named');
      res.status(204).end();
    });
}

type Learner = LaunchedCaller & { readonly activityId: number };

function learnerIn(caller: LaunchedCaller): Learner {
  const { activityId, role } = caller.launch;
  if (role !== 'learner') throw forbidden('Only those who learn are asked for this.');
  if (activityId === undefined) throw notFound('The activity');
  return { ...caller, activityId };
}
