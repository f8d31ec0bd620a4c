import { Router } from 'express';
import { z } from 'zod';
import { deedOf, denialOf } from '../../core/audit.js';
import type { Caller } from '../../core/caller.js';
import { forbidden, notFound } from '../../core/errors.js';
import type { ApiKey, Stores } from '../../core/stores.js';
import { governs, isAdministrator } from '../../governance.js';
import { hashToken, newApiKey, prefixOf } from '../../tokens.js';
import { parseWith } from '../json-body.js';
import { PageQuery, pageOf } from '../paging.js';
import { callerOf } from '../request-facts.js';

const NewKey = z.strictObject({
  name: z.string().trim().min(1).max(100),
  trusted_proxy: z.boolean().default(false),
  expires_at: z.iso
    .datetime({ offset: true })
    .refine((at) => Date.parse(at) > Date.now(), 'is in the past')
    .nullish(),
  user_email: z.string().max(320).optional(),
});
const Id = z.object({ id: z.coerce.number().int().positive() });

type KeyDeps = Pick<Stores, 'users' | 'credentials' | 'audit'>;

export function apiKeys({ users, credentials, audit }: KeyDeps): Router {
  const mustAdminister = async (caller: Caller, what: string) => {
    if (isAdministrator(caller)) return;
    await audit.record(denialOf(caller, { action: 'make key', resource: what, reason: 'no administrator' }));
    throw forbidden(`Only administrators may make ${what}.`);
  };

  /** Administrators may make a key for somebody of theirs; everybody else makes their own. */
  const keeperOf = async (caller: Caller, email: string | undefined): Promise<number> => {
    if (email === undefined || email.trim().toLowerCase() === caller.email) return caller.userId;
    await mustAdminister(caller, 'a key for somebody else');
    const user = await users.byEmail(email);
    if (!user || !governs(caller, user)) throw notFound('The user');
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
      if (trusted_proxy) await mustAdminister(caller, 'a trusted proxy key');
      const userId = await keeperOf(caller, user_email);

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
      if (!(await credentials.deleteKey(caller.userId, id))) throw notFound('The API key');
      await audit.record(deedOf(caller, { action: 'delete key', resource: `key ${String(id)}` }));
      res.status(204).end();
    });
}

function show({ id, name, prefix, trustedProxy, expiresAt, createdAt }: ApiKey) {
  return { id, name, prefix, trusted_proxy: trustedProxy, expires_at: expiresAt, created_at: createdAt };
}
