/** A queue between what happens in callbacks and a generator that tells of it. */
export interface Channel<T> extends AsyncIterable<T> {
  push(item: T): void;
  close(): void;
}

/** Past this many unread items new ones are dropped: a reader that is slow must not cost memory. */
const MOST_WAITING = 1000;

export function createChannel<T>(): Channel<T> {
  const waiting: T[] = [];
  let closed = false;
  let wake: () => void = () => undefined;

  return {
    push(item) {
      if (closed || waiting.length >= MOST_WAITING) return;
      waiting.push(item);
      wake();
    },
    close() {
      closed = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (waiting.length > 0) yield waiting.shift() as T;
        if (closed) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
