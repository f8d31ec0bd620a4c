import { type Request, Router } from 'express';
import pLimit from 'p-limit';
import { z } from 'zod';
import { unauthenticated, unavailable } from '../../core/errors.js';
import type { Caller } from '../../core/caller.js';
import type { Stores } from '../../core/stores.js';
import { hashPassword, isOutdated, verifyPassword } from '../../passwords.js';
import { hashToken, newSessionToken } from '../../tokens.js';
import { parseWith } from '../json-body.js';
import { refusing } from '../rate-limit.js';
import { callerOf } from '../request-facts.js';
import type { Siblings } from '../siblings.js';

const SESSION_DAYS = 7;
const TRIES_A_MINUTE = 10;
/** A whole institution may come from one address. */
const TRIES_A_MINUTE_FROM_ONE_ADDRESS = 120;
const CHECKS_AT_A_TIME = 2;
const LONGEST_QUEUE = 20;
const Login = z.strictObject({
  email: z.string().trim().toLowerCase().min(1).max(320),
  password: z.string().min(1).max(1024),
});

type AuthDeps = Pick<Stores, 'users' | 'credentials' | 'audit'> & { readonly siblings: Siblings };

/** The one route that needs no credential. */
export function login({ users, credentials, audit, siblings }: AuthDeps): Router {
  const triesAMinute = (of: string, points: number) =>
    refusing(siblings.limiter(`sign-ins of an ${of}`, { points, seconds: 60 }));
  const limitAccount = triesAMinute('account', TRIES_A_MINUTE);
  const limitAddress = triesAMinute('address', TRIES_A_MINUTE_FROM_ONE_ADDRESS);
  // Checking a password is work for the same few threads that serve the database: never all of them.
  const desk = pLimit(CHECKS_AT_A_TIME);
  // Checked when there is no such user, so that the answer takes as long either way.
  const nobodysPassword = hashPassword('nobody');

  return Router().post('/lamb/v1/auth/login', async (req, res) => {
    const { email, password } = parseWith(Login, req.body);
    const from = req.ip ?? '';
    await limitAddress(from, 'Too many sign-in attempts from your address.');
    await limitAccount(`${from} ${email}`, 'Too many sign-in attempts.');
    if (desk.pendingCount > LONGEST_QUEUE)
      throw unavailable('Too many people are signing in at once.', 'busy');

    const user = await users.byEmail(email);
    const stored = user?.passwordHash ?? (await nobodysPassword);
    const matches = await desk(() => verifyPassword(password, stored));
    if (!user?.enabled || !user.passwordHash || !matches) {
      await audit.record({
        ...NOBODY,
        userId: user?.id ?? null,
        organizationId: user?.organizationId ?? null,
      });
      throw unauthenticated('The e-mail address or the password is not right.');
    }

    if (isOutdated(stored)) {
      const passwordHash = await desk(() => hashPassword(password));
      await users.renewPassword(user.id, { from: stored, to: passwordHash });
    }
    const token = newSessionToken();
    const expiresAt = new Date(Date.now() + SESSION_DAYS * 86_400_000).toISOString();
    await credentials.addSession({ userId: user.id, hash: hashToken(token), expiresAt });
    const { id, name, role, organizationId } = user;
    res.json({
      token,
      expires_at: expiresAt,
      user: { id, email: user.email, name, role, organization_id: organizationId },
    });
  });
}

const NOBODY = {
  action: 'sign in',
  resource: 'account',
  outcome: 'denied',
  reason: 'wrong e-mail or password',
  runId: null,
} as const;

export function session({
  credentials,
  organizations,
}: Pick<Stores, 'credentials' | 'organizations'>): Router {
  return Router()
    .post('/lamb/v1/auth/logout', async (req, res) => {
      if (callerOf(res).via === 'session') await credentials.deleteSession(hashToken(bearerOf(req)));
      res.status(204).end();
    })
    .get('/lamb/v1/me', async (_req, res) => {
      const caller = callerOf(res);
      const organization = await organizations.byId(caller.organizationId);
      res.json({ ...me(caller), organization_name: organization?.name ?? null });
    });
}

function me({ userId, email, name, role, organizationId, via }: Caller) {
  return { id: userId, email, name, role, organization_id: organizationId, via };
}

function bearerOf(req: Request): string {
  return (req.headers.authorization ?? '').replace(/^Bearer /i, '');
}
