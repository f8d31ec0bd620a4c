import { Router } from 'express';
import { z } from 'zod';
import type { Caller } from '../../core/caller.js';
import { badRequest, forbidden, notFound } from '../../core/errors.js';
import type { ApiKey, Stores } from '../../core/stores.js';
import { hashToken, newApiKey, prefixOf } from '../../tokens.js';
import { parseWith } from '../json-body.js';
import { PageQuery, pageOf } from '../paging.js';
import { callerOf } from '../request-facts.js';

const NewKey = z.strictObject({
  name: z.string().trim().min(1).max(100),
  trusted_proxy: z.boolean().default(false),
  expires_at: z.iso.datetime({ offset: true }).nullish(),
  user_email: z.string().max(320).optional(),
});
const Id = z.object({ id: z.coerce.number().int().positive() });

type KeyDeps = Pick<Stores, 'users' | 'credentials' | 'audit'>;

export function apiKeys({ users, credentials, audit }: KeyDeps): Router {
  /** Administrators may make a key for somebody of theirs; everybody else makes their own. */
  const keeperOf = async (caller: Caller, email: string | undefined): Promise<number> => {
    if (email === undefined || email.toLowerCase() === caller.email) return caller.userId;
    if (!isAdministrator(caller)) throw forbidden('Only administrators may make keys for somebody else.');
    const user = await users.byEmail(email);
    if (!user || (caller.role === 'org_admin' && user.organizationId !== caller.organizationId))
      throw notFound('The user');
    if (caller.role === 'org_admin' && user.role === 'system_admin') throw notFound('The user');
    return user.id;
  };

  return Router()
    .get('/lamb/v1/api-keys', async (req, res) => {
      const page = parseWith(PageQuery, req.query, 'The query');
      res.json(pageOf(await credentials.listKeys(callerOf(res).userId, page), show));
    })
    .post('/lamb/v1/api-keys', async (req, res) => {
      const caller = callerOf(res);
      const { name, trusted_proxy, expires_at, user_email } = parseWith(NewKey, req.body);
      if (trusted_proxy && !isAdministrator(caller))
        throw forbidden('Only administrators may make a trusted proxy key.');
      const expiresAt = expires_at ? new Date(expires_at).toISOString() : null;
      if (expiresAt !== null && expiresAt <= new Date().toISOString())
        throw badRequest('expires_at is in the past.', 'expires_at');

      const key = newApiKey();
      const userId = await keeperOf(caller, user_email);
      const hashed = { hash: hashToken(key), prefix: prefixOf(key) };
      const made = await credentials.addKey({
        userId,
        name,
        trustedProxy: trusted_proxy,
        expiresAt,
        ...hashed,
      });
      await audit.record({
        ...by(caller),
        action: 'make key',
        resource: `key ${String(made.id)}`,
        reason: `for user ${String(userId)}`,
      });
      res.status(201).json({ ...show(made), key });
    })
    .delete('/lamb/v1/api-keys/:id', async (req, res) => {
      const caller = callerOf(res);
      const { id } = parseWith(Id, req.params, 'The address');
      if (!(await credentials.deleteKey(caller.userId, id))) throw notFound('The API key');
      await audit.record({ ...by(caller), action: 'delete key', resource: `key ${String(id)}`, reason: '' });
      res.status(204).end();
    });
}

function isAdministrator({ role }: Caller): boolean {
  return role === 'system_admin' || role === 'org_admin';
}

function by({ userId, organizationId }: Caller) {
  return { userId, organizationId, outcome: 'done', runId: null } as const;
}

function show({ id, name, prefix, trustedProxy, expiresAt, createdAt }: ApiKey) {
  return { id, name, prefix, trusted_proxy: trustedProxy, expires_at: expiresAt, created_at: createdAt };
}
