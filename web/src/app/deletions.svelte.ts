import type { I18n } from '../i18n/i18n.svelte.ts';
import type { Toasts } from './toasts.svelte.ts';

/** How long a deletion can be undone before it is sent to the service. */
const UNDO_MS = 6_000;

/** Something that is to go. */
export interface Deletion {
  /** Kind and id, such as `document 7`. */
  readonly key: string;
  /** What is said when it is gone from the page, and when it was kept after all. */
  readonly gone: string;
  readonly kept: string;
  /** Must go on when the page is left (`keepalive`). */
  readonly carryOut: () => Promise<unknown>;
}

/** Things that are gone from the page at once, and from the service unless the deletion is undone in time. */
export interface Deletions {
  /** True until the service has refused, or the deletion was undone. */
  has(key: string): boolean;
  begin(deletion: Deletion): void;
  /** Sends every deletion that still waits: the page is being left. */
  flush(): void;
  /** Sends one that still waits, and ends when the service has answered. */
  settle(key: string): Promise<void>;
}

interface Waiting {
  readonly timer: ReturnType<typeof setTimeout>;
  /** The toast that offers to undo it. */
  readonly toast: number;
  readonly carryOut: () => Promise<void>;
}

export function createDeletions({
  i18n,
  toasts,
}: {
  readonly i18n: I18n;
  readonly toasts: Toasts;
}): Deletions {
  let waiting = $state.raw<ReadonlyMap<string, Waiting>>(new Map());
  let going = $state.raw<ReadonlySet<string>>(new Set());

  const forget = (key: string) => {
    const entry = waiting.get(key);
    if (!entry) return;
    clearTimeout(entry.timer);
    toasts.dismiss(entry.toast);
    waiting = new Map([...waiting].filter(([each]) => each !== key));
  };

  async function carryOut({ key, kept, carryOut: remove }: Deletion): Promise<void> {
    forget(key);
    going = new Set([...going, key]);
    try {
      await remove();
    } catch (fault) {
      toasts.show(`${kept} ${i18n.fault(fault)}`, { tone: 'bad' });
      going = new Set([...going].filter((each) => each !== key));
    }
  }

  function offerUndo({ key, gone, kept }: Deletion): number {
    const undo = () => {
      forget(key);
      toasts.say(kept);
    };
    const action = { label: i18n.t.common.undo, run: undo };
    return toasts.show(gone, { action, shownMs: UNDO_MS });
  }

  return {
    has: (key) => waiting.has(key) || going.has(key),
    begin(deletion) {
      const now = () => carryOut(deletion);
      const timer = setTimeout(() => void now(), UNDO_MS);
      const entry = { timer, toast: offerUndo(deletion), carryOut: now };
      waiting = new Map([...waiting, [deletion.key, entry]]);
    },
    flush() {
      for (const { carryOut: now } of waiting.values()) void now();
    },
    settle: async (key) => waiting.get(key)?.carryOut(),
  };
}
