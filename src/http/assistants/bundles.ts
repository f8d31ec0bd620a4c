import { Router } from 'express';
import type { AssistantBundles } from '../../assistants/bundle.js';
import type { FaultsOfAssistant } from '../../assistants/check.js';
import { deedOf } from '../../core/access/audit.js';
import { idIn } from './assistant-address.js';
import { createAssistantLookup, type LookupDeps } from './lookup.js';
import { createAssistantShow } from './assistant-show.js';
import { mustBeMaker, mustBeSaveable } from './assistant-saving.js';
import { importedIn, showBundle } from './bundle-body.js';
import { callerOf } from '../middleware/request-facts.js';

export interface BundleRoutesDeps extends LookupDeps {
  readonly bundles: AssistantBundles;
  readonly faultsOf: FaultsOfAssistant;
}

/** An assistant as one JSON text, and back. An import is made whole or not at all. */
export function assistantBundles(deps: BundleRoutesDeps): Router {
  const { assistants, audit, bundles, faultsOf } = deps;
  const find = createAssistantLookup(deps);
  const show = createAssistantShow(deps);

  return Router()
    .get('/lamb/v1/assistants/:id/export', async (req, res) => {
      const assistant = await find.toEdit(idIn(req.params), callerOf(res), 'export');
      res.json(showBundle(assistant, await bundles.pack(assistant)));
    })
    .post('/lamb/v1/assistants/import', async (req, res) => {
      const caller = callerOf(res);
      await mustBeMaker(caller, 'import', audit);
      const { content: given, names } = importedIn(req.body);
      const { content, missing } = await bundles.unpack(given, names, caller.userId);
      await mustBeSaveable(content, { ownerId: caller.userId, assistantId: undefined }, faultsOf);

      const owner = { id: caller.userId, organizationId: caller.organizationId };
      const made = await assistants.create(owner, content);
      await audit.record(deedOf(caller, { action: 'import', resource: `assistant ${String(made.id)}` }));
      res.status(201).json({ assistant: await show.one(made, caller), missing });
    });
}
