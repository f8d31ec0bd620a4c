import type { Answer, Ending, RunEvent } from '../src/core/event.js';

/** Drains a run for callers that do not stream. */
export async function collect(events: AsyncGenerator<RunEvent, Ending>): Promise<Answer> {
  let text = '';
  for (;;) {
    const step = await events.next();
    if (step.done) return { text, ending: step.value };
    if (step.value.type === 'text') text += step.value.text;
  }
}
