import { setImmediate as endOfTurn, setTimeout as delay } from 'node:timers/promises';

interface Waiting<T> {
  readonly item: T;
  readonly settle: PromiseSettlers;
}

interface PromiseSettlers {
  resolve(): void;
  reject(reason: unknown): void;
}

export interface GroupCommit<T> {
  /** Settles once this very item is committed or has failed, and never before. */
  add(item: T): Promise<void>;
  /** Resolves when nothing waits any more. */
  settled(): Promise<void>;
}

/** Bounds how long one commit holds the database. */
const LARGEST_GROUP = 200;

/**
 * A commit costs as much as several items in it. So when items come together, the next group begins no sooner
 * than this after the last one began; an item that comes alone is never kept waiting.
 */
const GATHERING_MS = 10;

/** Items that come together are written together, so a busy service pays for one commit instead of many. */
export function createGroupCommit<T>(
  write: (items: readonly T[]) => Promise<void>,
  gatheringMs = GATHERING_MS,
): GroupCommit<T> {
  const waiting: Waiting<T>[] = [];
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    // Answers that end in one turn of the event loop are one group.
    await endOfTurn();
    while (waiting.length > 0) {
      const begunAt = performance.now();
      const group = waiting.splice(0, LARGEST_GROUP);
      await writeGroup(group);
      const rest = gatheringMs - (performance.now() - begunAt);
      if (group.length > 1 && waiting.length < LARGEST_GROUP && rest > 0) await delay(rest);
    }
    writing = undefined;
  }

  async function writeGroup(group: readonly Waiting<T>[]): Promise<void> {
    try {
      await write(group.map(({ item }) => item));
      for (const { settle } of group) settle.resolve();
    } catch (error) {
      if (group.length === 1) group[0]?.settle.reject(error);
      // One bad item must not take the others with it: each gets a commit of its own.
      else await Promise.all(group.map((alone) => writeGroup([alone])));
    }
  }

  return {
    add: (item) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ item, settle: { resolve, reject } });
        writing ??= writeAll();
      }),
    settled: async () => {
      await writing;
    },
  };
}
