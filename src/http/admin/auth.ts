import { type Request, Router } from 'express';
import { unauthenticated } from '../../core/errors.js';
import type { Caller } from '../../core/access/caller.js';
import type { Stores } from '../../core/stores.js';
import { hashToken, newSessionToken } from '../../security/tokens.js';
import { parseWith } from '../middleware/json-body.js';
import { type PasswordDesk, Proof, WRONG_PROOF } from './password-desk.js';
import { addressOf, callerOf, signalOfLeaving } from '../middleware/request-facts.js';

const SESSION_DAYS = 7;

type AuthDeps = Pick<Stores, 'credentials'> & { readonly passwordDesk: PasswordDesk };

/** The one route that needs no credential. */
export function login({ credentials, passwordDesk }: AuthDeps): Router {
  return Router().post('/lamb/v1/auth/login', async (req, res) => {
    const proof = parseWith(Proof, req.body);
    const user = await passwordDesk(proof, {
      ...{ from: addressOf(res), action: 'sign in' },
      signal: signalOfLeaving(res),
    });
    if (!user) throw unauthenticated(WRONG_PROOF);
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
