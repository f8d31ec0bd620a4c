import { Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import type { Share } from '../../core/assistants/history.js';
import { badRequest, notFound } from '../../core/errors.js';
import type { Stores } from '../../core/stores.js';
import type { PublishGate } from '../../scenarios/gate.js';
import type * as wire from '../contract/assistants.js';
import { parseWith } from '../middleware/json-body.js';
import { pageOf, PageQuery } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';
import { Override } from '../scenarios/override.js';
import { createAssistantShow, type ShowDeps } from './body.js';
import { createAssistantLookup, idIn, type LookupDeps, savedOrThrow } from './lookup.js';

export const Publication = z.strictObject({
  published: z.boolean(),
  publish_scope: z.enum(['organization', 'everyone']).optional(),
  override: Override.optional(),
});
export const NewShare = z.strictObject({
  email: z.string().trim().min(1).max(320),
  override: Override.optional(),
});

export type SharingRoutesDeps = LookupDeps &
  ShowDeps &
  Pick<Stores, 'users'> & { readonly gate: PublishGate };

/** Who else may chat with an assistant: its owner and administrators say. */
export function assistantSharing(deps: SharingRoutesDeps): Router {
  const { assistants, users, audit, gate } = deps;
  const find = createAssistantLookup(deps);
  const record = createAssistantShow(deps);
  const keep = (caller: Caller, action: string, { id }: Assistant, reason: string) =>
    audit.record(deedOf(caller, { action, resource: `assistant ${String(id)}`, reason }));

  return Router()
    .post('/lamb/v1/assistants/:id/publish', async (req, res) => {
      const caller = callerOf(res);
      const before = await find.toEdit(idIn(req.params), caller, 'publish');
      const {
        published,
        publish_scope: scope = before.publishScope,
        override,
      } = parseWith(Publication, req.body);
      const isSo = before.published === published && before.publishScope === scope;
      const opens = published && (!isSo || override !== undefined);
      const settle = opens ? await gate.beforeOpening(before, { caller, override }) : undefined;
      const now = isSo ? before : await assistants.setPublished(before.id, published, scope, caller.userId);
      const assistant = savedOrThrow(now);
      await settle?.(assistant);
      if (!isSo)
        await keep(caller, published ? 'publish' : 'unpublish', assistant, published ? `to ${scope}` : '');
      res.json(await record.one(assistant, caller));
    })
    .get('/lamb/v1/assistants/:id/shares', async (req, res) => {
      const { id } = await find.toEdit(idIn(req.params), callerOf(res), 'list shares');
      const page = parseWith(PageQuery, req.query, 'The query');
      res.json(pageOf(await assistants.shares(id, page), show));
    })
    .post('/lamb/v1/assistants/:id/shares', async (req, res) => {
      const caller = callerOf(res);
      const assistant = await find.toEdit(idIn(req.params), caller, 'share');
      const { email, override } = parseWith(NewShare, req.body);
      const user = await users.byEmail(email);
      // The same words for nobody and for somebody of another organisation: people cannot be looked for here.
      if (user?.organizationId !== assistant.organizationId) throw notFound('The user');
      if (user.id === assistant.ownerId) throw badRequest('The owner needs no share.', 'email');
      const settle = await gate.beforeOpening(assistant, { caller, override });
      await assistants.share(assistant.id, user.id, caller.userId);
      await settle(assistant);
      await keep(caller, 'share', assistant, `with user ${String(user.id)}`);
      res.status(201).json({ email: user.email, name: user.name });
    })
    .delete('/lamb/v1/assistants/:id/shares/:email', async (req, res) => {
      const caller = callerOf(res);
      const assistant = await find.toEdit(idIn(req.params), caller, 'unshare');
      const user = await users.byEmail(req.params.email);
      if (!user || !(await assistants.unshare(assistant.id, user.id))) throw notFound('The share');
      await keep(caller, 'unshare', assistant, `with user ${String(user.id)}`);
      res.status(204).end();
    });
}

function show({ email, name, createdAt }: Share): wire.Share {
  return { email, name, created_at: createdAt };
}
