import { Router } from 'express';
import { z } from 'zod';
import { mayAdministerUser, isAdministrator } from '../../access/administrators.js';
import { deedOf, denialOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import type { OAuthGrant } from '../../core/access/oauth-grant.js';
import { forbidden, notFound } from '../../core/errors.js';
import type { ApiKey, Stores } from '../../core/stores.js';
import { hashToken, newApiKey, prefixOf } from '../../security/tokens.js';
import type * as wire from '../contract/admin.js';
import type { Connection } from '../contract/oauth.js';
import { parseWith } from '../middleware/json-body.js';
import { PageQuery, pageOf } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';

export const NewKey = z.strictObject({
  name: z.string().trim().min(1).max(100),
  trusted_proxy: z.boolean().default(false),
  expires_at: z.iso
    .datetime({ offset: true })
    .refine((at) => Date.parse(at) > Date.now(), 'is in the past')
    .nullish(),
  user_email: z.string().max(320).optional(),
});
export const Whose = z.object({ user_email: NewKey.shape.user_email });
export const ListQuery = PageQuery.extend(Whose.shape);
export const Id = z.object({ id: z.coerce.number().int().positive() });

const OF_OTHERS = {
  'make key': 'a key for somebody else',
  'list keys': 'the keys of somebody else',
  'delete key': 'a key of somebody else',
  'list connections': 'the programs of somebody else',
  'disconnect program': 'a program of somebody else',
} as const;
type Action = keyof typeof OF_OTHERS;

type KeyDeps = Pick<Stores, 'users' | 'credentials' | 'oauthGrants' | 'audit'>;

/** What programs come in with in somebody's name: keys, and what they were let in by. */
export function apiKeys({ users, credentials, oauthGrants, audit }: KeyDeps): Router {
  const mustAdminister = async (caller: Caller, action: Action, what: string) => {
    if (isAdministrator(caller)) return;
    await audit.record(denialOf(caller, { action, resource: what, reason: 'no administrator' }));
    throw forbidden(`Only administrators may ${action.split(' ')[0] ?? ''} ${what}.`);
  };

  /** Administrators look after the keys of their people; everybody else after their own. */
  const keeperOf = async (caller: Caller, action: Action, email: string | undefined): Promise<number> => {
    if (email === undefined || email.trim().toLowerCase() === caller.email) return caller.userId;
    await mustAdminister(caller, action, OF_OTHERS[action]);
    const user = await users.byEmail(email);
    if (!user) throw notFound('The user');
    if (mayAdministerUser(caller, user)) return user.id;
    const facts = { resource: OF_OTHERS[action], reason: `user ${String(user.id)} is not theirs` };
    await audit.record(denialOf(caller, { action, ...facts }));
    throw notFound('The user');
  };

  return Router()
    .get('/lamb/v1/api-keys', async (req, res) => {
      const { user_email, ...page } = parseWith(ListQuery, req.query, 'The query');
      const userId = await keeperOf(callerOf(res), 'list keys', user_email);
      res.json(pageOf(await credentials.listKeys(userId, page), show));
    })
    .post('/lamb/v1/api-keys', async (req, res) => {
      const caller = callerOf(res);
      const { name, trusted_proxy, expires_at, user_email } = parseWith(NewKey, req.body);
      if (trusted_proxy) await mustAdminister(caller, 'make key', 'a trusted proxy key');
      const userId = await keeperOf(caller, 'make key', user_email);

      const key = newApiKey();
      const made = await credentials.addKey({
        userId,
        name,
        trustedProxy: trusted_proxy,
        expiresAt: expires_at ? new Date(expires_at).toISOString() : null,
        hash: hashToken(key),
        prefix: prefixOf(key),
      });
      const resource = `key ${String(made.id)}`;
      await audit.record(
        deedOf(caller, { action: 'make key', resource, reason: `for user ${String(userId)}` }),
      );
      res.status(201).json({ ...show(made), key });
    })
    .delete('/lamb/v1/api-keys/:id', async (req, res) => {
      const caller = callerOf(res);
      const { id } = parseWith(Id, req.params, 'The address');
      const { user_email } = parseWith(Whose, req.query, 'The query');
      const userId = await keeperOf(caller, 'delete key', user_email);
      if (!(await credentials.deleteKey(userId, id))) throw notFound('The API key');
      const reason = userId === caller.userId ? {} : { reason: `of user ${String(userId)}` };
      await audit.record(deedOf(caller, { action: 'delete key', resource: `key ${String(id)}`, ...reason }));
      res.status(204).end();
    })
    .get('/lamb/v1/connections', async (req, res) => {
      const { user_email, ...page } = parseWith(ListQuery, req.query, 'The query');
      const userId = await keeperOf(callerOf(res), 'list connections', user_email);
      res.json(pageOf(await oauthGrants.list(userId, page), showConnection));
    })
    .delete('/lamb/v1/connections/:id', async (req, res) => {
      const caller = callerOf(res);
      const { id } = parseWith(Id, req.params, 'The address');
      const { user_email } = parseWith(Whose, req.query, 'The query');
      const userId = await keeperOf(caller, 'disconnect program', user_email);
      if (!(await oauthGrants.end(userId, id))) throw notFound('The connection');
      const resource = `connection ${String(id)}`;
      const reason = userId === caller.userId ? {} : { reason: `of user ${String(userId)}` };
      await audit.record(deedOf(caller, { action: 'disconnect program', resource, ...reason }));
      res.status(204).end();
    });
}

function show({ id, name, prefix, trustedProxy, expiresAt, createdAt }: ApiKey): wire.ApiKey {
  return { id, name, prefix, trusted_proxy: trustedProxy, expires_at: expiresAt, created_at: createdAt };
}

function showConnection(grant: OAuthGrant): Connection {
  return {
    id: grant.id,
    client_name: grant.clientName,
    redirect_uri: grant.redirectUri,
    created_at: grant.createdAt,
    refreshed_at: grant.refreshedAt,
    expires_at: grant.expiresAt,
  };
}
