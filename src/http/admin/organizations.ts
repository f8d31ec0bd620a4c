import { Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import { forbidden, notFound } from '../../core/errors.js';
import { keepMasked } from '../../core/organizations/config.js';
import { keepUnknown, unknownKeysIn } from '../../core/organizations/known-config.js';
import type { Organization, Stores } from '../../core/stores.js';
import { createAdministration } from '../middleware/administration.js';
import { ConfigBody, createConfigIntake, type IntakeDeps } from '../middleware/config-intake.js';
import { parseWith } from '../middleware/json-body.js';
import { PageQuery, pageOf } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';

const Name = z.string().trim().min(1).max(200);
const NewOrganization = z.strictObject({
  slug: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and dashes, 63 at most'),
  name: Name,
  config: ConfigBody.optional(),
});
const ChangedOrganization = z.strictObject({ name: Name.optional() });
const ListQuery = PageQuery.extend({ q: z.string().max(200).optional() });
const Id = z.object({ id: z.coerce.number().int().positive() });

type Deps = Pick<Stores, 'audit' | 'organizations' | 'users'> & IntakeDeps;

/** System administrators have all organisations, an organisation's administrators have their own. */
export function organizationRoutes({ audit, organizations, users, ...deps }: Deps): Router {
  const office = createAdministration({ audit, organizations, users });
  const takeIn = createConfigIntake(deps);
  const idIn = (params: unknown) => parseWith(Id, params, 'The address').id;

  return Router()
    .get('/lamb/v1/organizations', async (req, res) => {
      const caller = callerOf(res);
      const deed = { caller, action: 'list organisations' };
      await office.mustAdminister(deed);
      const { q, ...page } = parseWith(ListQuery, req.query, 'The query');
      if (caller.role === 'system_admin') {
        res.json(pageOf(await organizations.list({ q }, page), show));
        return;
      }
      const theirs = await office.organization(caller.organizationId, deed);
      res.json(pageOf({ data: [theirs], nextCursor: null }, show));
    })
    .post('/lamb/v1/organizations', async (req, res) => {
      const caller = callerOf(res);
      const deed = { caller, action: 'create organisation' };
      if (caller.role !== 'system_admin') {
        const facts = { resource: 'organisation', reason: 'no system administrator' };
        await office.refuse(deed, facts, forbidden('Only system administrators may make organisations.'));
      }
      const { slug, name, config = {} } = parseWith(NewOrganization, req.body);
      const stored = keepUnknown(keepMasked(takeIn(config), {}), {});
      const made = await organizations.create({ slug, name, isSystem: false, config: stored });
      await audit.record(deedOf(caller, { action: deed.action, resource: resourceOf(made) }));
      const warnings = unknownKeysIn(stored);
      res.status(201).json({ ...show(made), ...(warnings.length > 0 ? { warnings } : {}) });
    })
    .get('/lamb/v1/organizations/:id', async (req, res) => {
      const deed = { caller: callerOf(res), action: 'read organisation' };
      res.json(show(await office.organization(idIn(req.params), deed)));
    })
    .patch('/lamb/v1/organizations/:id', async (req, res) => {
      const caller = callerOf(res);
      const deed = { caller, action: 'change organisation' };
      const { id } = await office.organization(idIn(req.params), deed);
      const change = parseWith(ChangedOrganization, req.body);
      const changed = await organizations.update(id, change);
      if (!changed) throw notFound('The organisation');
      const reason = `changed ${Object.keys(change).join(', ')}`;
      await audit.record(deedOf(caller, { action: deed.action, resource: resourceOf(changed), reason }));
      res.json(show(changed));
    });
}

function resourceOf({ id }: Organization): string {
  return `organisation ${String(id)}`;
}

function show({ id, slug, name }: Organization) {
  return { id, slug, name };
}
