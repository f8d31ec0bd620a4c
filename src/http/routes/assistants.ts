import { Router } from 'express';
import { z } from 'zod';
import type { AccessPolicy } from '../../core/access.js';
import type { Assistant, AssistantSetup } from '../../core/assistant.js';
import type { Caller } from '../../core/caller.js';
import { conflict, forbidden, invalidConfiguration, notFound } from '../../core/errors.js';
import type { AssistantContent, Stores } from '../../core/stores.js';
import { ChangedAssistant, contentOf, NewAssistant, showAssistant } from '../assistant-body.js';
import { parseWith } from '../json-body.js';
import { PageQuery, pageOf } from '../paging.js';
import { callerOf } from '../request-facts.js';

export interface AssistantRoutesDeps extends Pick<Stores, 'assistants' | 'audit'> {
  readonly policy: AccessPolicy;
  readonly readSetup: (content: AssistantContent) => AssistantSetup;
  readonly faultsOf: (setup: AssistantSetup, ownerId: number) => Promise<string[]>;
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

export function assistantRoutes({
  assistants,
  audit,
  policy,
  readSetup,
  faultsOf,
}: AssistantRoutesDeps): Router {
  /** What the caller may not chat with does not exist for them. */
  const find = async (params: unknown, caller: Caller): Promise<Assistant> => {
    const { id } = parseWith(Id, params, 'The address');
    const assistant = await assistants.get(id);
    if (!assistant || !(await policy.mayChat(caller, assistant)).allowed) throw notFound('The assistant');
    return assistant;
  };
  const findToEdit = async (params: unknown, caller: Caller, action: string): Promise<Assistant> => {
    const assistant = await find(params, caller);
    const verdict = policy.mayEdit(caller, assistant);
    if (verdict.allowed) return assistant;
    await audit.record({
      ...by(caller),
      action,
      resource: nameOf(assistant.id),
      outcome: 'denied',
      reason: verdict.reason,
    });
    throw forbidden(verdict.reason);
  };
  const check = async (content: AssistantContent, ownerId: number) => {
    const faults = await faultsOf(readSetup(content), ownerId);
    if (faults.length > 0)
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
      if (caller.role === 'student') throw forbidden('Students cannot make assistants.');
      const content = contentOf(parseWith(NewAssistant, req.body));
      await check(content, caller.userId);
      const made = await assistants.create(
        { id: caller.userId, organizationId: caller.organizationId },
        content,
      );
      res.status(201).json(show(made, caller));
    })
    .get('/lamb/v1/assistants/:id', async (req, res) => {
      const caller = callerOf(res);
      res.json(show(await find(req.params, caller), caller));
    })
    .put('/lamb/v1/assistants/:id', async (req, res) => {
      const caller = callerOf(res);
      const { id, ownerId } = await findToEdit(req.params, caller, 'change');
      const { version, ...body } = parseWith(ChangedAssistant, req.body);
      const content = contentOf(body);
      await check(content, ownerId);
      const changed = await assistants.replace(id, content, {
        userId: caller.userId,
        expectedVersion: version,
      });
      if (!changed) throw notFound('The assistant');
      if (changed === 'stale')
        throw conflict('The assistant was changed by somebody else meanwhile. Read it again, then save.');
      res.json(show(changed, caller));
    })
    .delete('/lamb/v1/assistants/:id', async (req, res) => {
      const caller = callerOf(res);
      const { id } = await findToEdit(req.params, caller, 'delete');
      if (!(await assistants.delete(id))) throw notFound('The assistant');
      await audit.record({
        ...by(caller),
        action: 'delete',
        resource: nameOf(id),
        outcome: 'done',
        reason: '',
      });
      res.status(204).end();
    });
}

function by({ userId, organizationId }: Caller) {
  return { userId, organizationId, runId: null };
}

function nameOf(id: number): string {
  return `assistant ${String(id)}`;
}
