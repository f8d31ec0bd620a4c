import pLimit from 'p-limit';
import type { Say, StatusEvent } from '../../src/core/runs/event.js';

/** Runs generators side by side, at most `limit` of them; yields as they speak, returns results in order. */
export async function* mergeConcurrent<Event, Result>(
  tasks: readonly (() => AsyncGenerator<Event, Result>)[],
  limit: number,
): AsyncGenerator<Event, Result[]> {
  const channel = createChannel<Event>();
  const queue = pLimit(limit);
  const results = Promise.all(tasks.map((task) => queue(() => drainInto(channel.push, task()))));
  const close = () => {
    channel.close();
  };
  results.then(close, close);

  yield* channel;
  return await results;
}

async function drainInto<Event, Result>(
  push: (event: Event) => void,
  generator: AsyncGenerator<Event, Result>,
): Promise<Result> {
  for (;;) {
    const step = await generator.next();
    if (step.done) return step.value;
    push(step.value);
  }
}

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

/** How it ended; `tell` hears what it says of itself meanwhile. */
export async function drain<End>(
  events: AsyncGenerator<StatusEvent, End>,
  tell: (event: StatusEvent) => void = () => undefined,
): Promise<End> {
  for (;;) {
    const step = await events.next();
    if (step.done) return step.value;
    tell(step.value);
  }
}

/** A run for callers that do not stream. */
export async function collect<End>(
  begin: (say: Say) => AsyncGenerator<StatusEvent, End>,
  tell?: (event: StatusEvent) => void,
): Promise<{ readonly text: string; readonly ending: End }> {
  let text = '';
  const events = begin((piece) => {
    text += piece;
    return undefined;
  });
  const ending = await drain(events, tell);
  return { text, ending };
}
