import { Router } from 'express';
import { z } from 'zod';
import { type AuditRecord, OUTCOMES } from '../../core/access/audit.js';
import type { Stores } from '../../core/stores.js';
import type * as wire from '../contract/admin.js';
import { createAdministration } from '../middleware/administration.js';
import { parseWith } from '../middleware/json-body.js';
import { pageOf, PageQuery, periodOf, PeriodQuery } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';

const RowId = z.coerce.number().int().positive();
export const ListQuery = PageQuery.extend({
  q: z.string().max(200).optional(),
  outcome: z.enum(OUTCOMES).optional(),
  user_id: RowId.optional(),
  organization_id: RowId.optional(),
  ...PeriodQuery.shape,
});

type Deps = Pick<Stores, 'audit' | 'organizations' | 'users'>;

/** Who did what, and who was kept from it: for those who look after an organisation. */
export function auditRoutes({ audit, organizations, users }: Deps): Router {
  const office = createAdministration({ audit, organizations, users });
  return Router().get('/lamb/v1/audit', async (req, res) => {
    const caller = callerOf(res);
    const deed = { caller, action: 'read audit' };
    await office.mustAdminister(deed);
    const query = parseWith(ListQuery, req.query, 'The query');
    const { q, outcome, user_id, organization_id, from, to, ...page } = query;
    const everywhere = caller.role === 'system_admin' && organization_id === undefined;
    const organizationId = everywhere
      ? undefined
      : (await office.organization(organization_id ?? caller.organizationId, deed)).id;
    const filter = { organizationId, q, outcome, userId: user_id, ...periodOf({ from, to }) };
    res.json(pageOf(await audit.list(filter, page), show));
  });
}

function show({ userId, userEmail, organizationId, runId, ...entry }: AuditRecord): wire.AuditRow {
  return {
    ...entry,
    user_id: userId,
    user_email: userEmail,
    organization_id: organizationId,
    run_id: runId,
  };
}
