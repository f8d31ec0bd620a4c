import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import { brokenOff } from '../../src/clients/provider.js';
import { isRecord } from '../../src/core/base/json.js';
import { type Kept, memoizeByGrowth, memoizeByObject } from '../../src/core/base/memo.js';
import type { FunctionSpec, ModelReply, ModelRequest } from '../../src/core/connector.js';
import type { AppError } from '../../src/core/errors.js';
import type { Message } from '../../src/core/message.js';
import { estimateUsage, type FinishReason, type Usage } from '../../src/core/runs/event.js';
import { type CallFragment, gatherCalls } from './gather-calls.js';
import { PlainEvents, type Readers } from './openai-plain-events.js';
import { MOST_UNREADABLE } from './stream.js';

/** No model says this much in earnest: a server that goes on for ever is cut off here. */
const MOST_CHARS = 4_000_000;
const MOST_BYTES = 32_000_000;
const LONGEST_EVENT = 2_000_000;

/**
 * Puts a streamed chat completion together. Lines it cannot read are passed over; lies about its end are not. A class, for the
 * same reason as PlainEvents.
 */
export class ReplyReader implements Readers {
  readonly #decoder = new StringDecoder('utf8');
  readonly #calls = gatherCalls();
  readonly #parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: ({ data }) => {
      this.#takeEvent(data);
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') this.#breakOff('sent too much at once');
    },
  });
  readonly #events: Pick<PlainEvents, 'feed' | 'waiting'>;
  /** What the bytes brought that are being read. */
  #fresh = '';
  #chars = 0;
  #received = 0;
  #unreadable = 0;
  #isBegun = false;
  #ended = false;
  #finishReason: string | undefined;
  #usage: Usage | undefined;
  #fault: AppError | undefined;

  /** `byParserAlone` reads the same in the long way, for tests to hold the two against each other. */
  constructor({ byParserAlone = false } = {}) {
    this.#events = byParserAlone ? { feed: this.#parser.feed, waiting: () => 0 } : new PlainEvents(this);
  }

  /** Takes bytes as they come, cut anywhere; gives the text they brought, which may be none. */
  read(bytes: Uint8Array): string {
    if (this.#fault) throw this.#fault;
    this.#received += bytes.length;
    this.#fresh = '';
    this.#events.feed(this.#decode(bytes));
    const fresh = this.#fresh;
    this.#chars += fresh.length;
    if (this.#events.waiting() > LONGEST_EVENT) this.#breakOff('sent too much at once');
    if (this.#received > MOST_BYTES || this.#chars > MOST_CHARS) this.#breakOff('sent too much');
    return fresh;
  }

  /** Its last word has come. What is sent after it is no part of it. */
  isOver(): boolean {
    return this.#ended;
  }

  /** The model has said that it is done; what it has cost may still come. */
  isWhole(): boolean {
    return this.#ended || this.#finishReason !== undefined;
  }

  /** What there was beside its words, once the bytes have ended. Throws when it ended too early. */
  finish(promptChars: number): ModelReply {
    if (this.#fault) throw this.#fault;
    if (!this.isWhole()) throw brokenOff('broke off in the middle of its answer');
    return {
      toolCalls: this.#calls.calls(),
      finishReason: readFinishReason(this.#finishReason),
      usage: this.#usage ?? estimateUsage(promptChars, this.#chars),
    };
  }

  plain(words: string, usages: readonly string[] | undefined): void {
    if (this.#fault || this.#ended) return;
    this.#fresh += words;
    if (usages) this.#usage = lastUsage(usages) ?? this.#usage;
  }

  other(text: string): void {
    this.#parser.feed(text);
  }

  /** A byte order mark before the first event is no part of it. */
  #decode(bytes: Uint8Array): string {
    const decoded = this.#decoder.write(bytes);
    if (this.#isBegun || decoded === '') return decoded;
    this.#isBegun = true;
    return decoded.startsWith('\uFEFF') ? decoded.slice(1) : decoded;
  }

  /** What came in the same breath is still handed on; the fault is told with the next one. */
  #breakOff(how: string): void {
    this.#fault ??= brokenOff(how);
  }

  #takeEvent(data: string): void {
    if (this.#fault || this.#ended) return;
    if (data === '[DONE]') this.#ended = true;
    else this.#takeChunk(parseChunk(data));
  }

  #takeChunk(chunk: Chunk | undefined): void {
    if (!chunk) {
      if (++this.#unreadable > MOST_UNREADABLE) this.#breakOff('sent an answer that cannot be understood');
      return;
    }
    if (chunk.error !== undefined && chunk.error !== null) this.#breakOff('reported an error');
    this.#usage = usageOf(chunk) ?? this.#usage;
    const choice = answerIn(chunk);
    if (!choice) return;
    if (typeof choice.delta?.content === 'string') this.#fresh += choice.delta.content;
    try {
      fragmentsIn(choice.delta?.tool_calls).forEach(this.#calls.take);
    } catch (thrown) {
      this.#fault ??= thrown as AppError;
    }
    if (typeof choice.finish_reason === 'string') this.#finishReason = choice.finish_reason;
  }
}

interface SaidUsage {
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly prompt_tokens_details?: { readonly cached_tokens?: unknown } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: unknown } | null;
}

/** What a chunk may hold; nothing of it is taken on trust. */
interface Chunk {
  readonly error?: unknown;
  readonly usage?: SaidUsage | null;
  readonly choices?: readonly Choice[];
}

interface Choice {
  readonly index?: unknown;
  readonly delta?: { readonly content?: unknown; readonly tool_calls?: unknown } | null;
  readonly finish_reason?: unknown;
}

/** One answer was asked for: whatever else a server says beside it is not it. */
function answerIn({ choices }: Chunk): Choice | undefined {
  if (!Array.isArray(choices)) return undefined;
  return (choices as readonly (Choice | null)[]).find((choice, i) => (choice?.index ?? i) === 0) ?? undefined;
}

function fragmentsIn(calls: unknown): readonly CallFragment[] {
  if (!Array.isArray(calls)) return [];
  return calls.filter(isRecord).map(({ index, id, function: said }) => {
    const { name, arguments: args } = isRecord(said) ? said : {};
    return {
      index: typeof index === 'number' ? index : undefined,
      id: typeof id === 'string' ? id : '',
      name: typeof name === 'string' ? name : '',
      arguments: typeof args === 'string' ? args : '',
    };
  });
}

function parseChunk(data: string): Chunk | undefined {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const isCount = (value: unknown): value is number => typeof value === 'number' && value > 0;

function usageOf({ usage }: Chunk): Usage | undefined {
  if (typeof usage?.prompt_tokens !== 'number' || typeof usage.completion_tokens !== 'number')
    return undefined;
  const cachedTokens = usage.prompt_tokens_details?.cached_tokens;
  const reasoningTokens = usage.completion_tokens_details?.reasoning_tokens;
  return {
    ...{ promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens },
    ...(isCount(cachedTokens) ? { cachedTokens } : {}),
    ...(isCount(reasoningTokens) ? { reasoningTokens } : {}),
  };
}

/** Of what plain events have told: later ones include what came before. */
function lastUsage(told: readonly string[]): Usage | undefined {
  for (const text of told.toReversed()) {
    const usage = usageOf({ usage: JSON.parse(text) as SaidUsage });
    if (usage) return usage;
  }
  return undefined;
}

function readFinishReason(reason: string | undefined): FinishReason {
  return reason === 'length' || reason === 'content_filter' ? reason : 'stop';
}

/** Our request in OpenAI's words. Always streamed, and always asked what it cost. */
export function openAIRequest(request: ModelRequest, kept: Kept): string {
  const { model, messages, functions, sampling } = request;
  // OpenAI refuses it where there are no tools.
  const { parallel_tool_calls, ...wishes } = sampling;
  const plain = { model, stream: true, stream_options: { include_usage: true }, ...wishes };
  const isPlain = functions.length === 0;
  const rest = isPlain ? plain : { ...plain, parallel_tool_calls, tool_choice: openAIChoice(request) };
  const tools = isPlain ? '' : `,"tools":${openAITools(functions)}`;
  return `${JSON.stringify(rest).slice(0, -1)}${tools},"messages":${openAIMessages(messages, kept)}}`;
}

/** In words once, however often the model is asked: a history may be long. */
const openAIMessages = memoizeByGrowth(
  () => '',
  (before, messages: readonly Message[]) => {
    const more = JSON.stringify(messages.map(openAIMessage));
    return before === '' ? more : `${before.slice(0, -1)},${more.slice(1)}`;
  },
);

/** In words once: most assistants offer the same functions in every round of every run. */
const openAITools = memoizeByObject((functions: readonly FunctionSpec[]) =>
  JSON.stringify(functions.map((spec) => ({ type: 'function', function: spec }))),
);

export function openAIChoice({ mustAnswer, choice }: Pick<ModelRequest, 'mustAnswer' | 'choice'>) {
  if (mustAnswer) return 'none';
  return typeof choice === 'object' ? { type: 'function' as const, function: choice } : (choice ?? 'auto');
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
