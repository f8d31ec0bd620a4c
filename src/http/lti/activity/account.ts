import { Router } from 'express';
import { z } from 'zod';
import { overseesOrganization } from '../../../access/administrators.js';
import { deedOf, denialOf } from '../../../core/access/audit.js';
import type { LaunchedCaller } from '../../../core/access/caller.js';
import { conflict, forbidden, notFound } from '../../../core/errors.js';
import type { Stores, User } from '../../../core/stores.js';
import { type PasswordCheck, Proof, WRONG_PROOF } from '../../admin/auth.js';
import type * as wire from '../../contract/activities.js';
import { parseWith } from '../../middleware/json-body.js';
import {
  addressOf,
  launchedCallerOf,
  launchedInstructorOf,
  signalOfLeaving,
} from '../../middleware/request-facts.js';
import { nameOfActivity } from './activity-lookup.js';
import { createFactsOfVisit, type VisitDeps } from './visit-facts.js';

/** They say what they agree to, so that nobody agrees to what has changed meanwhile. */
export const Consent = z.strictObject({ policy: z.literal('named') });

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

export const showLinked = (user: User): wire.LinkedAccount => ({
  ...{ email: user.email, name: user.name },
  is_administrator: overseesOrganization(user, user.organizationId),
});

type Learner = LaunchedCaller & { readonly activityId: number };

function learnerIn(caller: LaunchedCaller): Learner {
  const { activityId, role } = caller.launch;
  if (role !== 'learner') throw forbidden('Only those who learn are asked for this.');
  if (activityId === undefined) throw notFound('The activity');
  return { ...caller, activityId };
}

type LinkDeps = Pick<Stores, 'audit' | 'ltiPeople'> & { readonly passwordCheck: PasswordCheck };

/** Those who teach prove which account here is theirs, and may then use in the course what they may use there. */
export function ltiSessionAccount({ audit, ltiPeople, passwordCheck }: LinkDeps): Router {
  return Router()
    .post('/lamb/v1/lti/session/account', async (req, res) => {
      const caller = launchedInstructorOf(res);
      const proof = parseWith(Proof, req.body);
      const user = await passwordCheck(proof, {
        ...{ from: addressOf(res), action: 'link account' },
        signal: signalOfLeaving(res),
      });
      // Not 401: it is not the visit that is not valid.
      if (!user) throw forbidden(WRONG_PROOF);
      const deed = { action: 'link account', resource: `user ${String(user.id)}` };
      if (user.organizationId !== caller.organizationId) {
        await audit.record(denialOf(caller, { ...deed, reason: 'of another organisation' }));
        throw forbidden('This account is of another organisation than your learning platform.');
      }
      await ltiPeople.link(caller.userId, user.id);
      await audit.record(deedOf(caller, deed));
      const account: wire.LinkedAccount = showLinked(user);
      res.json({ account });
    })
    .delete('/lamb/v1/lti/session/account', async (_req, res) => {
      const caller = launchedInstructorOf(res);
      const linkedUserId = (await ltiPeople.byUser(caller.userId))?.linkedUserId ?? null;
      if (linkedUserId !== null) {
        await ltiPeople.link(caller.userId, null);
        const resource = `user ${String(linkedUserId)}`;
        await audit.record(deedOf(caller, { action: 'unlink account', resource }));
      }
      res.status(204).end();
    });
}
