import { EventEmitter, once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';

/** One request a fake server received, and how it ended. Times are milliseconds since the epoch. */
export interface LedgerRow<Body = unknown> {
  /** What the row is filed under: the model's name, or the city's. */
  readonly subject: string;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly authorization: string | null;
  readonly body: Body;
  /** Which step or fault answered. */
  outcome: string;
  /** The client's socket closed before the response ended. */
  closedEarly: boolean;
  closedAt: number | null;
  finishedAt: number | null;
}

/** How many rows of a subject there must be at least, and how many of those closed early or finished. */
export interface Wanted {
  readonly requests?: number | undefined;
  readonly closed?: number | undefined;
  readonly finished?: number | undefined;
}

export type Ledger = ReturnType<typeof createLedger>;

export function createLedger() {
  const rows: LedgerRow[] = [];
  const changes = new EventEmitter().setMaxListeners(0);

  const of = (subject?: string) =>
    subject === undefined ? rows : rows.filter((row) => fold(row.subject) === fold(subject));

  return {
    of,
    add(row: LedgerRow): void {
      rows.push(row);
      changes.emit('change');
    },
    changed(): void {
      changes.emit('change');
    },
    /** False when the time ran out first. */
    async reaches(subject: string, wanted: Wanted, timeoutMs: number): Promise<boolean> {
      const signal = AbortSignal.timeout(timeoutMs);
      while (!meets(of(subject), wanted)) {
        const changed = await once(changes, 'change', { signal }).catch(() => null);
        if (!changed) return false;
      }
      return true;
    },
  };
}

export type Gates = ReturnType<typeof createGates>;

/** Named gates a test opens. A gate stays open, so releasing before anybody waits loses nothing. */
export function createGates() {
  const open = new Set<string>();
  const opened = new EventEmitter().setMaxListeners(0);

  return {
    release(name: string): void {
      open.add(name);
      opened.emit('release');
    },
    async pass(name: string, signal: AbortSignal): Promise<void> {
      while (!open.has(name)) await once(opened, 'release', { signal });
    },
  };
}

function meets(rows: readonly LedgerRow[], { requests = 0, closed = 0, finished = 0 }: Wanted): boolean {
  return (
    rows.length >= requests &&
    rows.filter((row) => row.closedEarly).length >= closed &&
    rows.filter((row) => row.finishedAt !== null).length >= finished
  );
}

const fold = (text: string) => text.normalize('NFC').toLowerCase();
