import type { FaultsOfAssistant, Ownership } from '../../assistants/check.js';
import type { AuditEntry } from '../../core/access/audit.js';
import { denialOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import type { Assistant, AssistantContent } from '../../core/assistants/assistant.js';
import { conflict, forbidden, invalidFields, notFound } from '../../core/errors.js';

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
