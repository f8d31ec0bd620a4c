import type { Caller } from './caller.js';

export interface AuditEntry {
  readonly userId: number | null;
  readonly organizationId: number | null;
  readonly action: string;
  readonly resource: string;
  readonly outcome: 'done' | 'denied';
  readonly reason: string;
  readonly runId: string | null;
}

interface AuditFacts {
  readonly action: string;
  /** By kind and id, never by contents. */
  readonly resource: string;
  readonly reason?: string;
  readonly runId?: string;
}

/** Somebody was refused: who, what, why. */
export function denialOf(caller: Caller, facts: AuditFacts): AuditEntry {
  return entryOf(caller, 'denied', facts);
}

/** Somebody did what must be traceable. */
export function deedOf(caller: Caller, facts: AuditFacts): AuditEntry {
  return entryOf(caller, 'done', facts);
}

function entryOf(
  { userId, organizationId }: Caller,
  outcome: AuditEntry['outcome'],
  { action, resource, reason = '', runId }: AuditFacts,
): AuditEntry {
  return { userId, organizationId, action, resource, outcome, reason, runId: runId ?? null };
}
