import { Router } from 'express';
import { z } from 'zod';
import type { Assistant, AssistantContent } from '../../core/assistant.js';
import { deedOf, denialOf } from '../../core/audit.js';
import type { Caller } from '../../core/caller.js';
import { conflict, forbidden, invalidConfiguration, notFound } from '../../core/errors.js';
import type { FaultsOfAssistant, Ownership } from '../../check-assistant.js';
import {
  changedContent,
  ChangedAssistant,
  newContent,
  NewAssistant,
  showAssistant,
} from '../assistant-body.js';
import { createAssistantLookup, type LookupDeps } from '../assistant-lookup.js';
import { parseWith } from '../json-body.js';
import { PageQuery, pageOf } from '../paging.js';
import { callerOf } from '../request-facts.js';

export interface AssistantRoutesDeps extends LookupDeps {
  readonly faultsOf: FaultsOfAssistant;
}

const Id = z.object({ id: z.coerce.number().int().positive() });
const ListQuery = PageQuery.extend({
  type: z.enum(['classic', 'multi_tool', 'orchestrator']).optional(),
  q: z.string().max(200).optional(),
  owner: z.string().max(320).optional(),
  published: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
});

export function assistantRoutes(deps: AssistantRoutesDeps): Router {
  const { assistants, audit, policy, faultsOf } = deps;
  const find = createAssistantLookup(deps);
  const idIn = (params: unknown) => parseWith(Id, params, 'The address').id;
  const check = async (content: AssistantContent, ownership: Ownership) => {
    const faults = await faultsOf(content, ownership);
    if (faults.length === 0) return;
    throw invalidConfiguration(`This assistant cannot be saved: ${faults.join('; ')}`, 'metadata');
  };
  const show = (assistant: Assistant, caller: Caller) =>
    showAssistant(assistant, policy.mayEdit(caller, assistant));

  return Router()
    .get('/lamb/v1/assistants', async (req, res) => {
      const { limit, cursor, ...filter } = parseWith(ListQuery, req.query, 'The query');
      const caller = callerOf(res);
      const page = await assistants.list(policy.visibleTo(caller), filter, { limit, cursor });
      res.json(pageOf(page, (assistant) => show(assistant, caller)));
    })
    .post('/lamb/v1/assistants', async (req, res) => {
      const caller = callerOf(res);
      if (caller.role === 'student') {
        await audit.record(
          denialOf(caller, { action: 'create', resource: 'assistant', reason: 'a student' }),
        );
        throw forbidden('Students cannot make assistants.');
      }
      const content = newContent(parseWith(NewAssistant, req.body));
      await check(content, { ownerId: caller.userId, assistantId: undefined });
      const made = await assistants.create(
        { id: caller.userId, organizationId: caller.organizationId },
        content,
      );
      res.status(201).json(show(made, caller));
    })
    .get('/lamb/v1/assistants/:id', async (req, res) => {
      const caller = callerOf(res);
      res.json(show(await find.toSee(idIn(req.params), caller, 'read'), caller));
    })
    .put('/lamb/v1/assistants/:id', async (req, res) => {
      const caller = callerOf(res);
      const assistant = await find.toEdit(idIn(req.params), caller, 'change');
      const { version, ...body } = parseWith(ChangedAssistant, req.body);
      const content = changedContent(body, assistant);
      if (content.metadata) {
        await check(
          { ...content, metadata: content.metadata },
          { ownerId: assistant.ownerId, assistantId: assistant.id },
        );
      }
      const edit = { userId: caller.userId, expectedVersion: version };
      const changed = await assistants.replace(assistant.id, content, edit);
      if (!changed) throw notFound('The assistant');
      if (changed === 'stale')
        throw conflict('The assistant was changed by somebody else meanwhile. Read it again, then save.');
      res.json(show(changed, caller));
    })
    .delete('/lamb/v1/assistants/:id', async (req, res) => {
      const caller = callerOf(res);
      const { id } = await find.toEdit(idIn(req.params), caller, 'delete');
      if (!(await assistants.delete(id))) throw notFound('The assistant');
      await audit.record(deedOf(caller, { action: 'delete', resource: `assistant ${String(id)}` }));
      res.status(204).end();
    });
}
