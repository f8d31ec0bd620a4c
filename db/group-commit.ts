interface Waiting<T> {
  readonly item: T;
  readonly settle: PromiseSettlers;
}

interface PromiseSettlers {
  resolve(): void;
  reject(reason: unknown): void;
}

/** Bounds how long one transaction holds the database. */
const LARGEST_GROUP = 200;

/**
 * Items that arrive while a group is being written go together in the next one, so a busy service pays for
 * one commit instead of many. Each promise settles only once its own item is committed or has failed.
 */
export function createGroupCommit<T>(
  write: (items: readonly T[]) => Promise<void>,
): (item: T) => Promise<void> {
  const waiting: Waiting<T>[] = [];
  let writing = false;

  async function writeAll(): Promise<void> {
    writing = true;
    while (waiting.length > 0) await writeGroup(waiting.splice(0, LARGEST_GROUP));
    writing = false;
  }

  async function writeGroup(group: readonly Waiting<T>[]): Promise<void> {
    try {
      await write(group.map(({ item }) => item));
      for (const { settle } of group) settle.resolve();
    } catch (error) {
      if (group.length === 1) group[0]?.settle.reject(error);
      // One bad item must not take the others with it: each gets a transaction of its own.
      else await Promise.all(group.map((alone) => writeGroup([alone])));
    }
  }

  return (item) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ item, settle: { resolve, reject } });
      if (!writing) void writeAll();
    });
}
