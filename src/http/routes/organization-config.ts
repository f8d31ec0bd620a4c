import { Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/audit.js';
import { changedPaths } from '../../core/config-secrets.js';
import { notFound } from '../../core/errors.js';
import type { JsonRecord } from '../../core/json-record.js';
import { keepUnknown, maskUnknown, unknownKeysIn } from '../../core/known-config.js';
import { safeLabel } from '../../core/label.js';
import { keepMasked, maskSecrets } from '../../core/organization-config.js';
import type { Stores } from '../../core/stores.js';
import type { Ingestion } from '../../knowledge/ingest/ingestion.js';
import { createAdministration } from '../administration.js';
import { ConfigBody, createConfigIntake, type IntakeDeps } from '../config-intake.js';
import { parseWith } from '../json-body.js';
import { callerOf } from '../request-facts.js';

const shown = (config: JsonRecord) => maskUnknown(maskSecrets(config));

const MOST_PATHS = 20;
const Id = z.object({ id: z.coerce.number().int().positive() });

type Deps = Pick<Stores, 'audit' | 'organizations' | 'users'> &
  IntakeDeps & { readonly ingestion: Pick<Ingestion, 'reconsider'> };

/** What an organisation has set up. Secrets go in and never come out. */
export function organizationConfigRoutes({ audit, organizations, users, ...deps }: Deps): Router {
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
      // In the background: other embeddings may be wanted from now on.
      void deps.ingestion.reconsider(id);
      res.json({ ...shown(changed.after), warnings: unknownKeysIn(changed.after) });
    });
}
