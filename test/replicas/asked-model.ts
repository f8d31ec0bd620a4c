import { type FakeModel, type ModelRequest, startFake } from '../support/fakes/fakes.js';
import { createScripts, play } from '../support/fakes/model-performance.js';
import { say, type Step } from '../support/fakes/model-script.js';
import { openAIWire } from '../support/fakes/model-wire.js';

/**
 * A model to which a question says itself how it is answered: many may ask at the same time, in whatever order, and each
 * gets what is theirs. Models with a script follow it.
 */
export async function startAskedModel(): Promise<FakeModel> {
  const scripts = createScripts();
  const fake = await startFake<ModelRequest>({
    subjectOf: (_url, body) => (body as ModelRequest).model,
    answer: (exchange) => {
      const scripted = scripts.next(exchange.row.subject);
      const step = scripted === 'unscripted' ? stepAskedIn(exchange.body as ModelRequest) : scripted;
      return play(step, exchange, openAIWire);
    },
  });
  return {
    ...fake,
    script(model, steps, options = {}) {
      scripts.set({ model, steps, ...options });
      return Promise.resolve();
    },
  };
}

/** A question that makes the model do this; once a tool has answered, it says so. */
export const asking = (step: Step): string => JSON.stringify(step);

function stepAskedIn({ messages }: ModelRequest): Step {
  const last = messages.at(-1);
  return last?.role === 'tool' ? say('Done.') : (JSON.parse(String(last?.content)) as Step);
}
