import { defineConnector, type ModelRequest } from '../../src/core/connector.js';
import { textOf } from '../../src/core/message.js';
import { SAMPLING } from '../../src/core/runs/model-choice.js';
import { NO_USAGE } from '../../src/core/runs/event.js';

const MODELS = ['debug-bypass', 'simple-bypass', 'full-conversation-bypass'] as const;

/** No model at all: gives back what the model would have read, to see what an assistant composes. */
export default defineConnector({
  name: 'bypass',
  title: 'No model: shows the prompt',
  supportsFunctions: false,
  ignores: [...SAMPLING, 'tool_choice'],
  models: () => MODELS,

  async stream(request, _ctx, say) {
    await say(show(request));
    return { toolCalls: [], finishReason: 'stop', usage: NO_USAGE };
  },
});

function show({ model, messages, functions }: ModelRequest): string {
  const [first] = messages.slice(-1);
  if (model === 'simple-bypass') return first ? textOf(first.content) : '';
  if (model === 'full-conversation-bypass') {
    return messages.map((message) => `${message.role}: ${textOf(message.content)}`).join('\n');
  }
  const body = functions.length === 0 ? '' : `\n\nFunctions:\n${JSON.stringify(functions, null, 2)}`;
  return `Messages:\n${JSON.stringify(messages, null, 2)}${body}`;
}
