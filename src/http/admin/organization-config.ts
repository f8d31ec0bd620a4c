import { Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import type { JsonRecord } from '../../core/base/json.js';
import { safeLabel } from '../../core/base/text.js';
import { notFound } from '../../core/errors.js';
import { changedPaths } from '../../core/organizations/config-secrets.js';
import { keepMasked, maskSecrets } from '../../core/organizations/config.js';
import { keepUnknown, maskUnknown, unknownKeysIn } from '../../core/organizations/known-config.js';
import type { Stores } from '../../core/stores.js';
import type { Ingestion } from '../../knowledge/ingest/ingestion.js';
import { createAdministration } from '../middleware/administration.js';
import { ConfigBody, createConfigIntake, type IntakeDeps } from '../middleware/config-intake.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';

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
