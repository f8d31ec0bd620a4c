import type { ModelRequest } from '../../src/core/connector.js';
import { imagesOf, type Message, textOf } from '../../src/core/message.js';
import { argumentsIn, dataOf, LINKED_PICTURE } from './langchain.js';
import { answerFormOf, mostTokens, stopsOf } from './sampling.js';

/** Our request in Ollama's words. It has no way to forbid the tools it is shown, so none are when it must answer. */
export function ollamaRequest({ model, messages, functions, mustAnswer, sampling }: ModelRequest): object {
  const form = answerFormOf(sampling);
  return {
    model,
    messages: messages.map((message, i) => ollamaMessage(message, messages.slice(0, i))),
    stream: true,
    options: {
      temperature: sampling.temperature,
      top_p: sampling.top_p,
      seed: sampling.seed,
      stop: stopsOf(sampling),
      num_predict: mostTokens(sampling),
    },
    ...(form ? { format: form.schema ?? 'json' } : {}),
    ...(functions.length === 0 || mustAnswer
      ? {}
      : { tools: functions.map((spec) => ({ type: 'function', function: spec })) }),
  };
}

function ollamaMessage(message: Message, before: readonly Message[]): object {
  if (message.role === 'tool') {
    return { role: 'tool', content: message.content, tool_name: calledAs(message.toolCallId, before) };
  }
  if (message.role === 'assistant') {
    const calls = (message.toolCalls ?? []).map(({ name, arguments: text }) => ({
      function: { name, arguments: argumentsIn(text) },
    }));
    return {
      role: 'assistant',
      content: message.content,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
  }
  if (message.role === 'system') return message;

  const pictures = imagesOf(message.content).map(dataOf);
  const images = pictures.flatMap((picture) => (picture ? [picture.data] : []));
  const linked = pictures.some((picture) => picture === undefined) ? [LINKED_PICTURE] : [];
  const content = [textOf(message.content), ...linked].join('\n\n');
  return { role: 'user', content, ...(images.length > 0 ? { images } : {}) };
}

/** Ollama matches results by the function's name, not by the call's id. */
function calledAs(id: string, before: readonly Message[]): string {
  const calls = before.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  return calls.findLast((call) => call.id === id)?.name ?? '';
}
