import { z } from 'zod';
import type { FaultsOfAssistant, Ownership } from '../../assistants/check.js';
import type { AccessPolicy } from '../../core/access/access.js';
import { type AuditEntry, denialOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import type { Assistant, AssistantContent } from '../../core/assistants/assistant.js';
import type { DeletedAssistant } from '../../core/assistants/history.js';
import { conflict, forbidden, invalidFields, notFound } from '../../core/errors.js';
import type { Stores } from '../../core/stores.js';
import { parseWith } from '../middleware/json-body.js';

/** Finds assistants for routes. What a caller may not chat with does not exist for them; that they tried is kept. */
export interface AssistantLookup {
  toSee(id: number, caller: Caller, action: string): Promise<Assistant>;
  toEdit(id: number, caller: Caller, action: string): Promise<Assistant>;
  /** One that was deleted; undefined when none was, or it is nobody's the caller may change. */
  deletedToEdit(id: number, caller: Caller, action: string): Promise<DeletedAssistant | undefined>;
}

export type LookupDeps = Pick<Stores, 'assistants' | 'audit'> & { readonly policy: AccessPolicy };

export function createAssistantLookup({ assistants, audit, policy }: LookupDeps): AssistantLookup {
  const deny = (caller: Caller, id: number, action: string, reason: string) =>
    audit.record(denialOf(caller, { action, resource: `assistant ${String(id)}`, reason }));

  const toSee = async (id: number, caller: Caller, action: string): Promise<Assistant> => {
    const assistant = await assistants.get(id);
    if (!assistant) throw notFound('The assistant');
    const verdict = await policy.mayChat(caller, assistant);
    if (verdict.allowed) return assistant;
    await deny(caller, id, action, verdict.reason);
    throw notFound('The assistant');
  };

  return {
    toSee,
    async toEdit(id, caller, action) {
      const assistant = await toSee(id, caller, action);
      const verdict = policy.mayEdit(caller, assistant);
      if (verdict.allowed) return assistant;
      await deny(caller, id, action, verdict.reason);
      throw forbidden(verdict.reason);
    },
    async deletedToEdit(id, caller, action) {
      const assistant = await assistants.getDeleted(id);
      if (!assistant) return undefined;
      const verdict = policy.mayEdit(caller, assistant);
      if (verdict.allowed) return assistant;
      await deny(caller, id, action, verdict.reason);
      return undefined;
    },
  };
}

export const Id = z.object({ id: z.coerce.number().int().positive() });

/** The id in `/lamb/v1/assistants/:id…`. */
export function idIn(params: unknown): number {
  return parseWith(Id, params, 'The address').id;
}

/** Throws 422 with every reason why this content would not run as meant. */
export async function mustBeSaveable(
  content: AssistantContent,
  ownership: Ownership,
  faultsOf: FaultsOfAssistant,
): Promise<void> {
  const faults = await faultsOf(content, ownership);
  if (faults.length === 0) return;
  const told = faults.map((fault) => fault.told).join('; ');
  throw invalidFields(
    `This assistant cannot be saved: ${told}`,
    faults.map(({ told: _told, ...fault }) => fault),
  );
}

/** The assistant a write gave, or why there is none. */
export function savedOrThrow(saved: Assistant | 'stale' | undefined): Assistant {
  if (!saved) throw notFound('The assistant');
  if (saved === 'stale')
    throw conflict('The assistant was changed by somebody else meanwhile. Read it again, then save.');
  return saved;
}

export async function mustBeMaker(
  caller: Caller,
  action: string,
  audit: { record(entry: AuditEntry): Promise<void> },
): Promise<void> {
  if (caller.role !== 'student') return;
  await audit.record(denialOf(caller, { action, resource: 'assistant', reason: 'a student' }));
  throw forbidden('Students cannot make assistants.');
}
