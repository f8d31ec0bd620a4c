import type { Timestamp } from '../base/ids.js';
import type { Caller } from './caller.js';

export const OUTCOMES = ['done', 'denied'] as const;

export interface AuditEntry {
  readonly userId: number | null;
  readonly organizationId: number | null;
  readonly action: string;
  readonly resource: string;
  readonly outcome: (typeof OUTCOMES)[number];
  readonly reason: string;
  readonly runId: string | null;
}

/** As it was written down. */
export interface AuditRecord extends AuditEntry {
  readonly id: number;
  readonly at: Timestamp;
  readonly userEmail: string | null;
}

export interface AuditFilter {
  /** Of those who acted. */
  readonly organizationId?: number | undefined;
  readonly userId?: number | undefined;
  readonly outcome?: AuditEntry['outcome'] | undefined;
  /** Found in action, resource, reason or the e-mail of who acted, whatever the case. */
  readonly q?: string | undefined;
  readonly since?: Timestamp | undefined;
  readonly before?: Timestamp | undefined;
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
