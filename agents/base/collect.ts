import type { RunEvent, StatusEvent } from '../../src/core/runs/event.js';

/** Drains a run for callers that do not stream; `tell` hears what it says of itself meanwhile. */
export async function collect<End>(
  events: AsyncGenerator<RunEvent, End>,
  tell: (event: StatusEvent) => void = () => undefined,
): Promise<{ readonly text: string; readonly ending: End }> {
  let text = '';
  for (;;) {
    const step = await events.next();
    if (step.done) return { text, ending: step.value };
    if (step.value.type === 'text') text += step.value.text;
    else tell(step.value);
  }
}
