import { Router } from 'express';
import { deedOf, denialOf } from '../../../core/access/audit.js';
import { forbidden } from '../../../core/errors.js';
import type { Stores } from '../../../core/stores.js';
import { type PasswordDesk, Proof, WRONG_PROOF } from '../../admin/password-desk.js';
import { parseWith } from '../../middleware/json-body.js';
import { addressOf, launchedInstructorOf, signalOfLeaving } from '../../middleware/request-facts.js';

type Deps = Pick<Stores, 'audit' | 'ltiPeople'> & { readonly passwordDesk: PasswordDesk };

/** Those who teach prove which account here is theirs, and may then use in the course what they may use there. */
export function ltiSessionAccount({ audit, ltiPeople, passwordDesk }: Deps): Router {
  return Router()
    .post('/lamb/v1/lti/session/account', async (req, res) => {
      const caller = launchedInstructorOf(res);
      const proof = parseWith(Proof, req.body);
      const user = await passwordDesk(proof, {
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
      res.json({ account: { email: user.email, name: user.name } });
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
