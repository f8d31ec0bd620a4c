import type { Ending, RunEvent } from '../src/core/runs/event.js';

/** What tells nothing of how an answer came about; a question to whoever is chatting is among it. */
const SHOWN = new Set<RunEvent['type']>(['text', 'run.started', 'model.started', 'approval.required']);

/** The same run for those who are not to see what the assistant does. */
export async function* withoutSteps(
  events: AsyncGenerator<RunEvent, Ending>,
): AsyncGenerator<RunEvent, Ending> {
  try {
    for (;;) {
      const step = await events.next();
      if (step.done) return { ...step.value, tools: [] };
      if (SHOWN.has(step.value.type)) yield step.value;
    }
  } finally {
    // Whoever stops listening ends the run as well.
    await events.return(undefined as never);
  }
}
