import pLimit from 'p-limit';
import { createChannel } from './channel.js';

/** Runs generators side by side, at most `limit` of them; yields as they speak, returns results in order. */
export async function* atTheSameTime<Event, Result>(
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
