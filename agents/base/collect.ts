import type { Answer, Ending, Listener, StatusEvent } from '../../src/core/runs/event.js';

/** A run for callers that do not stream. */
export async function collect(
  start: (listener: Listener) => Promise<Ending>,
  hear: (event: StatusEvent) => void = () => undefined,
): Promise<Answer> {
  let text = '';
  const ending = await start({
    say(piece) {
      text += piece;
      return undefined;
    },
    tell(event) {
      hear(event);
      return undefined;
    },
  });
  return { text, ending };
}
