import type { AccessPolicy } from '../src/core/access.js';
import type { Assistant } from '../src/core/assistant.js';
import { denialOf } from '../src/core/audit.js';
import type { Caller } from '../src/core/caller.js';
import { forbidden, invalidConfiguration, notFound } from '../src/core/errors.js';
import type { AssistantStore, AuditStore } from '../src/core/stores.js';

interface Directory {
  readonly assistants: AssistantStore;
  readonly audit: AuditStore;
  readonly policy: AccessPolicy;
}

const BY_ID = /^(?:lamb_assistant\.)?(\d{1,15})$/;

export interface Wanted {
  /** `lamb_assistant.7`, `7`, or an exact name that only one visible assistant bears. */
  readonly model: string;
  readonly caller: Caller;
  readonly runId: string;
}

/** The assistant a client means, if the client may chat with it and it is fit to run. */
export async function findAssistant(
  { model, caller, runId }: Wanted,
  directory: Directory,
): Promise<Assistant> {
  const assistant = await lookUp(model, caller, directory);
  if (!assistant) throw notFound('The model (assistant)');
  const verdict = await directory.policy.mayRun(caller, assistant);
  if (!verdict.allowed) {
    if (verdict.rule === 'disabled') throw forbidden(verdict.reason);
    const resource = `assistant ${String(assistant.id)}`;
    await directory.audit.record(
      denialOf(caller, { action: 'chat', resource, reason: verdict.reason, runId }),
    );
    throw notFound('The model (assistant)');
  }
  const [problem] = assistant.setup.problems;
  if (problem !== undefined) throw invalidConfiguration(`This assistant cannot be run: ${problem}`);
  return assistant;
}

async function lookUp(reference: string, caller: Caller, { assistants, policy }: Directory) {
  const id = BY_ID.exec(reference)?.[1];
  if (id !== undefined) return await assistants.get(Number(id));
  const named = await assistants.byName(reference, policy.visibleTo(caller));
  return named.length === 1 ? named[0] : undefined;
}
