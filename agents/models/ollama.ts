import { z } from 'zod';
import { brokenOff } from '../../src/clients/provider.js';
import type { ModelReply, ModelRequest } from '../../src/core/connector.js';
import { imagesOf, type Message, textOf, type ToolCall } from '../../src/core/message.js';
import { estimateUsage, type Usage } from '../../src/core/runs/event.js';
import { argumentsIn, dataOf, LINKED_PICTURE } from './langchain.js';
import { answerFormOf, mostTokens, stopsOf } from './sampling.js';

const LONGEST_LINE = 2_000_000;
const MOST_CHARS = 4_000_000;
const MOST_CALLS = 128;
/** Trying to read costs more than sending: nonsense without end would keep everybody else waiting. */
const MOST_UNREADABLE = 1_000;

/** One line of an answer. A field of the wrong shape counts as not there. */
const Line = z.object({
  error: z.unknown().optional(),
  message: z
    .object({
      content: z.string().catch(''),
      tool_calls: z
        .array(z.object({ function: z.object({ name: z.string(), arguments: z.unknown() }) }))
        .catch([]),
    })
    .catch({ content: '', tool_calls: [] }),
  done: z.boolean().catch(false),
  done_reason: z.string().catch('stop'),
  prompt_eval_count: z.number().catch(0),
  eval_count: z.number().optional().catch(undefined),
});

/** Puts an answer of `/api/chat` together, which comes as one JSON object a line. */
export function createOllamaReader() {
  const decoder = new TextDecoder();
  const toolCalls: ToolCall[] = [];
  let rest = '';
  let chars = 0;
  let ending: string | undefined;
  let unreadable = 0;
  let usage: Usage | undefined;

  function take(line: string): string {
    if (line.trim() === '' || ending !== undefined) return '';
    const said = parsed(line);
    if (!said && ++unreadable > MOST_UNREADABLE) throw brokenOff('sent an answer that cannot be understood');
    if (!said) return '';
    if (said.error !== undefined) throw brokenOff('reported an error');
    for (const { function: call } of said.message.tool_calls) {
      toolCalls.push({ id: '', name: call.name, arguments: textFor(call.arguments) });
    }
    if (toolCalls.length > MOST_CALLS) throw brokenOff('asked for too many functions');
    if (said.done) {
      ending = said.done_reason;
      // A prompt that is still in its memory is not counted again.
      usage = said.eval_count === undefined ? undefined : usageOf(said.prompt_eval_count, said.eval_count);
    }
    return said.message.content;
  }

  return {
    /** Takes bytes as they come, cut anywhere; gives the text they brought, which may be none. */
    *read(bytes: Uint8Array): Generator<string, void> {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const fresh = take(line);
        chars += fresh.length;
        if (fresh !== '') yield fresh;
      }
      if (rest.length > LONGEST_LINE) throw brokenOff('sent too much at once');
      if (chars > MOST_CHARS) throw brokenOff('sent too much');
    },
    /** It has said that it is done. */
    isWhole: () => ending !== undefined,
    /** What there was beside its words, once the bytes have ended. Throws when they ended too early. */
    finish(promptChars: number): ModelReply {
      if (ending === undefined) take(rest);
      if (ending === undefined) throw brokenOff('broke off in the middle of its answer');
      return {
        toolCalls,
        finishReason: ending === 'length' ? 'length' : 'stop',
        usage: usage ?? estimateUsage(promptChars, chars),
      };
    },
  };
}

const usageOf = (promptTokens: number, completionTokens: number): Usage => ({
  promptTokens,
  completionTokens,
});

function textFor(args: unknown): string {
  return typeof args === 'string' ? args : JSON.stringify(args ?? {});
}

function parsed(line: string) {
  try {
    return Line.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

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
      frequency_penalty: sampling.frequency_penalty,
      presence_penalty: sampling.presence_penalty,
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
