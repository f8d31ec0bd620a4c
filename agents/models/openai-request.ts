import type { ModelRequest } from '../../src/core/connector.js';
import type { Message } from '../../src/core/message.js';

/** Our request in OpenAI's words. Always streamed, and always asked what it cost. */
export function openAIRequest({ model, messages, functions, mustAnswer, sampling }: ModelRequest): object {
  return {
    model,
    messages: messages.map(openAIMessage),
    stream: true,
    stream_options: { include_usage: true },
    ...sampling,
    ...(functions.length === 0
      ? {}
      : {
          tools: functions.map((spec) => ({ type: 'function', function: spec })),
          tool_choice: mustAnswer ? 'none' : 'auto',
        }),
  };
}

function openAIMessage(message: Message): object {
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
  if (message.role === 'assistant' && message.toolCalls) {
    return {
      role: 'assistant',
      content: message.content === '' ? null : message.content,
      tool_calls: message.toolCalls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      })),
    };
  }
  return { role: message.role, content: message.content };
}
