import { Router } from 'express';
import { z } from 'zod';
import type { Verdict } from '../../core/access/access.js';
import type { Caller } from '../../core/access/caller.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import { notFound } from '../../core/errors.js';
import type { Stores } from '../../core/stores.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';
import { createAssistantLookup, idIn, type LookupDeps } from './lookup.js';

export const Question = z
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

/** After who it is about: one plain sentence for each rule. */
const WORDS: Readonly<Record<Verdict['rule'], string>> = {
  owner: 'may use this assistant as its owner.',
  shared: 'may use this assistant because it is shared with them.',
  published_organization:
    'may use this assistant because it is published to the organisation they belong to.',
  published_everyone: 'may use this assistant because it is published to everyone.',
  organization_admin: 'may use this assistant as an administrator of its organisation.',
  system_admin: 'may use this assistant as a system administrator.',
  activity: 'may use this assistant in the activity they have opened.',
  link: 'may use this assistant by the link they have opened.',
  none: 'may not use this assistant: it is neither theirs nor shared with them nor published to them.',
  disabled: 'may not use this assistant now: it is switched off.',
  account_disabled: 'may not use this assistant: the account is switched off.',
  owner_disabled: "may not use this assistant now: its owner's account is switched off.",
  orchestrator_target: 'may not call this assistant: it calls functions itself, and calls go one level deep.',
  consent_needed: 'may not use this assistant before they have agreed to be named.',
  itself: 'may not call this assistant: it is the same one.',
};

function explainAccess(who: string, { rule }: Verdict): string {
  return `${who} ${WORDS[rule]}`;
}
