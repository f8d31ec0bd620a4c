import { type Response, Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import { conflict, forbidden, notFound } from '../../core/errors.js';
import type { Stores, User } from '../../core/stores.js';
import type { Passwords } from '../../security/passwords.js';
import type * as wire from '../contract/admin.js';
import { type Administration, createAdministration, type Deed } from '../middleware/administration.js';
import { parseWith } from '../middleware/json-body.js';
import { PageQuery, pageOf } from '../middleware/query.js';
import { callerOf, signalOfLeaving } from '../middleware/request-facts.js';

export const Name = z.string().trim().min(1).max(200);
export const Password = z.string().min(8, 'must have at least 8 characters').max(1024);
export const Email = z.string().trim().toLowerCase().max(320).pipe(z.email());
/** Students come from their learning platform, never from here. */
export const GivenRole = z.enum(['creator', 'org_admin', 'system_admin']);
export const NewUser = z.strictObject({
  email: Email,
  name: Name,
  password: Password,
  role: GivenRole.default('creator'),
  organization_id: z.number().int().positive().optional(),
});
export const ChangedUser = z.strictObject({
  name: Name.optional(),
  password: Password.optional(),
  role: GivenRole.optional(),
  enabled: z.boolean().optional(),
});
export const ListQuery = PageQuery.extend({
  q: z.string().max(200).optional(),
  organization_id: z.coerce.number().int().positive().optional(),
});
export const Id = z.object({ id: z.coerce.number().int().positive() });

type Deps = Pick<Stores, 'audit' | 'organizations' | 'users'> & { readonly passwords: Passwords };

/** The people of an organisation, for those who look after it. */
export function userRoutes({ audit, users, organizations, passwords }: Deps): Router {
  const office = createAdministration({ audit, users, organizations });
  const hashOf = (password: string, res: Response) =>
    passwords.hash(password, {
      name: `organisation ${String(callerOf(res).organizationId)}`,
      signal: signalOfLeaving(res),
    });
  const idIn = (params: unknown) => parseWith(Id, params, 'The address').id;

  const mayGive = createRoleRule(office);
  const mayFall = async (user: User, { role, enabled }: z.output<typeof ChangedUser>, deed: Deed) => {
    const falls = enabled === false || (role ?? user.role) !== user.role;
    if (user.id !== deed.caller.userId || !falls) return;
    const facts = { resource: `user ${String(user.id)}`, reason: 'themselves' };
    const message = 'Nobody may switch off their own account or change their own role.';
    await office.refuse(deed, facts, forbidden(message));
  };

  return Router()
    .get('/lamb/v1/users', async (req, res) => {
      const caller = callerOf(res);
      const deed = { caller, action: 'list users' };
      await office.mustAdminister(deed);
      const { q, organization_id, ...page } = parseWith(ListQuery, req.query, 'The query');
      const everywhere = caller.role === 'system_admin' && organization_id === undefined;
      const organizationId = everywhere
        ? undefined
        : (await office.organization(organization_id ?? caller.organizationId, deed)).id;
      res.json(pageOf(await users.list({ organizationId, q }, page), show));
    })
    .get('/lamb/v1/users/:id', async (req, res) => {
      const deed = { caller: callerOf(res), action: 'read user' };
      res.json(show(await office.userToSee(idIn(req.params), deed)));
    })
    .post('/lamb/v1/users', async (req, res) => {
      const caller = callerOf(res);
      const deed = { caller, action: 'create user' };
      await office.mustAdminister(deed);
      const { email, name, password, role, organization_id } = parseWith(NewUser, req.body);
      const { id: organizationId } = await office.organization(
        organization_id ?? caller.organizationId,
        deed,
      );
      await mayGive(role, deed);
      const passwordHash = await hashOf(password, res);
      const made = await users.create({ organizationId, email, name, role, passwordHash });
      const reason = `in organisation ${String(organizationId)}`;
      await audit.record(
        deedOf(caller, { action: deed.action, resource: `user ${String(made.id)}`, reason }),
      );
      res.status(201).json(show(made));
    })
    .patch('/lamb/v1/users/:id', async (req, res) => {
      const caller = callerOf(res);
      const deed = { caller, action: 'change user' };
      const user = await office.userToChange(idIn(req.params), deed);
      const resource = `user ${String(user.id)}`;
      const body = parseWith(ChangedUser, req.body);
      await mayGive(body.role, deed);
      await mayFall(user, body, deed);

      const { password, ...change } = body;
      const passwordHash = password === undefined ? undefined : await hashOf(password, res);
      const changed = await users.update(user.id, { ...change, passwordHash });
      if (!changed) throw notFound('The user');
      if (changed === 'last administrator') {
        const message = 'This is the last system administrator. Make another one first.';
        return await office.refuse(deed, { resource, reason: 'the last one' }, conflict(message));
      }
      const reason = `changed ${Object.keys(body).join(', ')}`;
      await audit.record(deedOf(caller, { action: deed.action, resource, reason }));
      res.json(show(changed));
    });
}

/** Nobody hands out more than they have. */
export function createRoleRule(office: Administration) {
  return async (role: User['role'] | undefined, deed: Deed): Promise<void> => {
    if (role !== 'system_admin' || deed.caller.role === 'system_admin') return;
    const facts = { resource: 'role system_admin', reason: 'no system administrator' };
    await office.refuse(deed, facts, forbidden('Only system administrators may make others.'));
  };
}

function show({ id, email, name, role, enabled, organizationId }: User): wire.Account {
  return { id, email, name, role, enabled, organization_id: organizationId };
}
