import { Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import { forbidden, unauthenticated } from '../../core/errors.js';
import type { Stores } from '../../core/stores.js';
import type { Passwords } from '../../security/passwords.js';
import { hashToken } from '../../security/tokens.js';
import { parseWith } from '../middleware/json-body.js';
import { addressOf, callerOf, signalOfLeaving } from '../middleware/request-facts.js';
import { bearerOf, type PasswordCheck } from '../admin/auth.js';
import { Password } from '../admin/users.js';

export const ChangedPassword = z.strictObject({
  current_password: z.string().min(1).max(1024),
  new_password: Password,
});

type Deps = Pick<Stores, 'audit' | 'users'> & {
  readonly passwordCheck: PasswordCheck;
  readonly passwords: Passwords;
};

/** Somebody's own password: whoever knows the old one sets the new one, and every other session of theirs ends. */
export function ownPassword({ audit, users, passwordCheck, passwords }: Deps): Router {
  return Router().post('/lamb/v1/me/password', async (req, res) => {
    const caller = callerOf(res);
    if (caller.via !== 'session')
      throw forbidden('Only somebody who has signed in may change their password.');
    const { current_password: password, new_password: wanted } = parseWith(ChangedPassword, req.body);
    const signal = signalOfLeaving(res);
    const user = await passwordCheck(
      { email: caller.email, password },
      { from: addressOf(res), action: 'change password', signal },
    );
    // Not 401: it is not the session that is not valid.
    if (user?.id !== caller.userId) throw forbidden('The current password is not right.');
    const passwordHash = await passwords.hash(wanted, { name: `user ${String(user.id)}`, signal });
    const changed = await users.update(user.id, { passwordHash, keptSession: hashToken(bearerOf(req)) });
    if (!changed) throw unauthenticated();
    await audit.record(
      deedOf(caller, { action: 'change password', resource: `user ${String(user.id)}`, reason: 'their own' }),
    );
    res.status(204).end();
  });
}
