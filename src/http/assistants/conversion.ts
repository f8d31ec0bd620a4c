import { Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import { notFound } from '../../core/errors.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';
import { createAssistantShow, type ShowDeps } from './body.js';
import { createAssistantLookup, idIn, type LookupDeps } from './lookup.js';

export const Converting = z.strictObject({ dry_run: z.boolean().default(false) });

/** Into the canonical form, and back from the bin. */
export function assistantConversion(deps: LookupDeps & ShowDeps): Router {
  const { assistants, audit } = deps;
  const find = createAssistantLookup(deps);
  const show = createAssistantShow(deps);

  return Router()
    .post('/lamb/v1/assistants/:id/convert', async (req, res) => {
      const caller = callerOf(res);
      const { id } = await find.toEdit(idIn(req.params), caller, 'convert');
      const { dry_run: dryRun } = parseWith(Converting, req.body ?? {});
      const converted = await assistants.convert(id, { userId: caller.userId, dryRun });
      if (!converted) throw notFound('The assistant');
      const { before, after, changed } = converted;
      res.json({ before, after, changed });
    })
    .post('/lamb/v1/assistants/:id/restore', async (req, res) => {
      const caller = callerOf(res);
      const id = idIn(req.params);
      const gone = await find.deletedToEdit(id, caller, 'restore');
      const assistant = gone ? await assistants.undelete(id) : await find.toEdit(id, caller, 'restore');
      if (!assistant) throw notFound('The assistant');
      if (gone)
        await audit.record(deedOf(caller, { action: 'restore', resource: `assistant ${String(id)}` }));
      res.json(await show.one(assistant, caller));
    });
}
