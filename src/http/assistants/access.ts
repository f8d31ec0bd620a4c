import { Router } from 'express';
import { z } from 'zod';
import type { Verdict } from '../../core/access/access.js';
import type { Caller } from '../../core/access/caller.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import { notFound } from '../../core/errors.js';
import type { Stores } from '../../core/stores.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';
import { explainAccess } from './access-explanation.js';
import { idIn } from './assistant-address.js';
import { createAssistantLookup, type LookupDeps } from './lookup.js';

const Question = z
  .object({
    as: z.string().trim().min(1).max(320).optional(),
    assistant: z.coerce.number().int().positive().optional(),
  })
  .refine(({ as, assistant }) => as === undefined || assistant === undefined, {
    error: 'ask about a person or about an assistant, not both',
    path: ['as'],
  });

type Found = LookupDeps & Pick<Stores, 'users'>;

/** Why somebody, or another assistant, may or may not use this one: the rule that the gate itself goes by. */
export function assistantAccess(deps: Found): Router {
  const find = createAssistantLookup(deps);

  return Router().get('/lamb/v1/assistants/:id/access-check', async (req, res) => {
    const caller = callerOf(res);
    const id = idIn(req.params);
    const { as, assistant: actingId } = parseWith(Question, req.query, 'The query');
    const target = await find.toSee(id, caller, 'access-check');

    const asked =
      actingId === undefined
        ? await aboutPerson(as ?? caller.email, { target, caller, find, deps })
        : await aboutAssistant(actingId, { target, caller, find, deps });
    const { allowed, rule } = asked.verdict;
    res.json({ allowed, rule, explanation: explainAccess(asked.who, asked.verdict) });
  });
}

interface Around {
  readonly target: Assistant;
  readonly caller: Caller;
  readonly find: ReturnType<typeof createAssistantLookup>;
  readonly deps: Found;
}

interface Asked {
  readonly who: string;
  readonly verdict: Verdict;
}

async function aboutPerson(email: string, { target, caller, find, deps }: Around): Promise<Asked> {
  const { users, policy } = deps;
  if (email.toLowerCase() === caller.email) {
    return { who: caller.email, verdict: await policy.mayRun(caller, target) };
  }
  await find.toEdit(target.id, caller, 'access-check');
  const user = await users.byEmail(email);
  const isTheirs = user?.organizationId === target.organizationId || caller.role === 'system_admin';
  if (!user || !isTheirs) throw notFound('The user');
  return { who: user.email, verdict: await policy.mayRun({ ...user, userId: user.id }, target) };
}

async function aboutAssistant(actingId: number, { target, caller, find, deps }: Around): Promise<Asked> {
  const acting = await find.toSee(actingId, caller, 'access-check');
  // Its owner asks about themselves: it is their right that the assistant would use.
  if (acting.ownerId !== caller.userId) await find.toEdit(target.id, caller, 'access-check');
  const verdict = await deps.policy.mayUse({ kind: 'assistant', id: target.id }, acting);
  return { who: `Assistant ${String(acting.id)} (by the right of its owner)`, verdict };
}
