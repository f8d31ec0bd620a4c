import { EventEmitter, once } from 'node:events';

export type JournalKind =
  | 'login'
  | 'auth'
  | 'launch'
  | 'jwks'
  | 'token'
  | 'token_refused'
  | 'memberships'
  | 'lineitem'
  | 'score'
  | 'score_refused'
  | 'deep_link'
  | 'deep_link_refused'
  | 'registration'
  | 'registration_refused';

/** One thing that happened at the platform. What it is about is in members of its own. */
export interface JournalEntry {
  readonly kind: JournalKind;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The tool's id, where there is one. */
  readonly tool?: number;
  readonly [fact: string]: unknown;
}

export type Journal = ReturnType<typeof createJournal>;

/** What the platform did, in its own words; the ledger beside it keeps the bare requests. */
export function createJournal() {
  const entries: JournalEntry[] = [];
  const changes = new EventEmitter().setMaxListeners(0);
  const of = (kind?: string, tool?: number) =>
    entries.filter(
      (entry) => (kind === undefined || entry.kind === kind) && (tool === undefined || entry.tool === tool),
    );
  return {
    of,
    add(kind: JournalKind, facts: Readonly<Record<string, unknown>> = {}): void {
      entries.push({ ...facts, kind, at: Date.now() });
      changes.emit('change');
    },
    /** The entries, as soon as there are so many or the time is over. */
    async when(
      kind: string | undefined,
      tool: number | undefined,
      wanted: { count: number; withinMs: number },
    ) {
      const signal = AbortSignal.timeout(wanted.withinMs);
      while (of(kind, tool).length < wanted.count && !signal.aborted)
        await once(changes, 'change', { signal }).catch(() => undefined);
      return of(kind, tool);
    },
  };
}
