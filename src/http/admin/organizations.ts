import { Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import type { JsonRecord } from '../../core/base/json.js';
import { safeLabel } from '../../core/base/text.js';
import { forbidden, notFound } from '../../core/errors.js';
import { changedPaths } from '../../core/organizations/config-secrets.js';
import { keepMasked, maskSecrets } from '../../core/organizations/config.js';
import { keepUnknown, maskUnknown, unknownKeysIn } from '../../core/organizations/known-config.js';
import type { Organization, Stores } from '../../core/stores.js';
import type { Ingestion } from '../../knowledge/ingest/ingestion.js';
import type { WarmUp } from '../../organizations/warm-up.js';
import type * as wire from '../contract/admin.js';
import {
  ConfigBody,
  createAdministration,
  createConfigIntake,
  type IntakeDeps,
} from '../middleware/administration.js';
import { parseWith } from '../middleware/json-body.js';
import type { Peers } from '../peers.js';
import { pageOf, PageQuery } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';

const Name = z.string().trim().min(1).max(200);
export const NewOrganization = z.strictObject({
  slug: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and dashes, 63 at most'),
  name: Name,
  config: ConfigBody.optional(),
});
export const ChangedOrganization = z.strictObject({ name: Name.optional() });
export const ListQuery = PageQuery.extend({ q: z.string().max(200).optional() });
export const Id = z.object({ id: z.coerce.number().int().positive() });

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

function show({ id, slug, name }: Organization): wire.Organization {
  return { id, slug, name };
}

const shown = (config: JsonRecord) => maskUnknown(maskSecrets(config));

const MOST_PATHS = 20;

type ConfigDeps = Pick<Stores, 'audit' | 'organizations' | 'users'> &
  IntakeDeps & {
    readonly ingestion: Pick<Ingestion, 'reconsider'>;
    readonly peers: Pick<Peers, 'tell'>;
    readonly warmUp: Pick<WarmUp, 'organization'>;
  };

/** What an organisation has set up. Secrets go in and never come out. */
export function organizationConfigRoutes({ audit, organizations, users, ...deps }: ConfigDeps): Router {
  const office = createAdministration({ audit, organizations, users });
  const takeIn = createConfigIntake(deps);
  const idIn = (params: unknown) => parseWith(Id, params, 'The address').id;

  return Router()
    .get('/lamb/v1/organizations/:id/config', async (req, res) => {
      const deed = { caller: callerOf(res), action: 'read configuration' };
      const { id } = await office.organization(idIn(req.params), deed);
      const found = await organizations.withConfig(id);
      if (!found) throw notFound('The organisation');
      res.json(shown(found.config));
    })
    .put('/lamb/v1/organizations/:id/config', async (req, res) => {
      const caller = callerOf(res);
      const deed = { caller, action: 'change configuration' };
      const { id } = await office.organization(idIn(req.params), deed);
      // A client may send back what it was answered.
      const { warnings: _told, ...body } = parseWith(ConfigBody, req.body);
      const sent = takeIn(body);
      const changed = await organizations.changeConfig(id, (stored) =>
        keepUnknown(keepMasked(sent, stored), stored),
      );
      if (!changed) throw notFound('The organisation');
      const paths = changedPaths(changed.before, changed.after).slice(0, MOST_PATHS).map(safeLabel);
      const facts = { resource: `organisation ${String(id)}`, reason: `changed ${paths.join(', ')}` };
      await audit.record(deedOf(caller, { action: deed.action, ...facts }));
      // In the background: other embeddings, and other providers, may be wanted from now on.
      deps.peers.tell({ reconfigured: id });
      void deps.ingestion.reconsider(id);
      void deps.warmUp.organization(id);
      res.json({ ...shown(changed.after), warnings: unknownKeysIn(changed.after) });
    });
}
