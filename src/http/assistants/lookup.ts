import type { AccessPolicy } from '../../core/access/access.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import type { DeletedAssistant } from '../../core/assistants/history.js';
import { denialOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { forbidden, notFound } from '../../core/errors.js';
import type { Stores } from '../../core/stores.js';

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
