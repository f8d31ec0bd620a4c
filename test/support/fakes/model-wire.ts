import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sendJson, write, type Exchange } from './ledger-server.js';
import { openStream, type Wire } from './model-performance.js';
import { DEFAULT_USAGE, type Call, type FunctionCall, type Say, type Usage } from './model-script.js';

/** The part of a chat completion request the fake heeds. */
export interface ChatBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
}

interface Completion {
  readonly message: object;
  readonly deltas: readonly object[];
  readonly finish: string;
  readonly usage: Usage | null;
  readonly paceMs: number;
  readonly pause?: Say['pause'];
}

const EVENTS = 'text/event-stream; charset=utf-8';

/** Chat completions as OpenAI sends them. */
export const openAIWire: Wire = {
  contentType: EVENTS,
  complete: (exchange, step) =>
    sendCompletion(exchange, 'say' in step ? sayCompletion(step) : callCompletion(step)),
  begin: sendBeginning,
};

function sayCompletion(step: Say): Completion {
  const parts = cut(step.say, step.chunks ?? 1);
  return {
    message: { role: 'assistant', content: step.say },
    deltas: [{ role: 'assistant', content: '' }, ...parts.map((content) => ({ content }))],
    finish: step.finish ?? 'stop',
    usage: step.usage === undefined ? DEFAULT_USAGE : step.usage,
    paceMs: step.paceMs ?? 0,
    pause: step.pause,
  };
}

function callCompletion(step: Call): Completion {
  const toolCalls = step.call.map(toToolCall);
  const content = step.text ?? null;
  return {
    message: { role: 'assistant', content, tool_calls: toolCalls },
    deltas: [
      { role: 'assistant', content: null },
      ...(step.text ? [{ content: step.text }] : []),
      ...toolCalls.flatMap((toolCall, index) => callDeltas(toolCall, index, step.fragments ?? 1)),
    ],
    finish: step.finish ?? 'tool_calls',
    usage: step.usage === undefined ? DEFAULT_USAGE : step.usage,
    paceMs: step.paceMs ?? 0,
  };
}

async function sendCompletion(exchange: Exchange, completion: Completion): Promise<void> {
  const body = exchange.body as ChatBody;
  if (!body.stream) return sendWhole(exchange, body, completion);

  const frame = framesFor(body);
  openStream(exchange, EVENTS);
  await sendDeltas(exchange, frame, completion);
  await write(exchange, frame([choice({}, completion.finish)]));
  if (body.stream_options?.include_usage && completion.usage) {
    await write(exchange, frame([], { usage: withTotal(completion.usage) }));
  }
  exchange.res.end('data: [DONE]\n\n');
}

async function sendBeginning(exchange: Exchange, texts: readonly string[]): Promise<void> {
  const body = exchange.body as ChatBody;
  if (!body.stream) {
    exchange.res.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
    if (texts.length > 0) await write(exchange, '{"id":"chatcmpl-unfinished","object":"chat.compl');
    return;
  }
  openStream(exchange, EVENTS);
  if (texts.length === 0) return;

  const deltas = [{ role: 'assistant', content: '' }, ...texts.map((content) => ({ content }))];
  await sendDeltas(exchange, framesFor(body), { deltas, paceMs: 0 });
}

async function sendWhole(exchange: Exchange, { model }: ChatBody, completion: Completion): Promise<void> {
  const { message, finish, usage, pause } = completion;
  if (pause) await exchange.gates.pass(pause.until, exchange.left);
  return sendJson(exchange.res, 200, {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    ...(usage ? { usage: withTotal(usage) } : {}),
  });
}

async function sendDeltas(
  exchange: Exchange,
  frame: Framer,
  { deltas, paceMs, pause }: Pick<Completion, 'deltas' | 'paceMs' | 'pause'>,
): Promise<void> {
  for (const [sent, delta] of deltas.entries()) {
    // The role delta comes before the text deltas that `after` counts.
    if (pause && sent === pause.after + 1) await exchange.gates.pass(pause.until, exchange.left);
    if (paceMs > 0 && sent > 0) await delay(paceMs, undefined, { signal: exchange.left });
    await write(exchange, frame([choice(delta, null)]));
  }
  if (pause && pause.after + 1 >= deltas.length) await exchange.gates.pass(pause.until, exchange.left);
}

type Framer = (choices: readonly object[], extra?: object) => string;

function framesFor({ model, stream_options }: ChatBody): Framer {
  const id = `chatcmpl-${randomUUID()}`;
  const created = Math.floor(Date.now() / 1000);
  const noUsageYet = stream_options?.include_usage ? { usage: null } : {};
  return (choices, extra = {}) => {
    const chunk = { id, object: 'chat.completion.chunk', created, model, choices, ...noUsageYet, ...extra };
    return `data: ${JSON.stringify(chunk)}\n\n`;
  };
}

function toToolCall({ name, arguments: args, id }: FunctionCall) {
  return {
    id: id ?? `call_${randomUUID()}`,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  };
}

function callDeltas(toolCall: ReturnType<typeof toToolCall>, index: number, fragments: number): object[] {
  const { name, arguments: args } = toolCall.function;
  const opening = { index, ...toolCall, function: { name, arguments: '' } };
  const rest = cut(args, fragments).map((part) => ({ index, function: { arguments: part } }));
  return [opening, ...rest].map((part) => ({ tool_calls: [part] }));
}

/** At most `parts` pieces of nearly equal length, never inside a character. */
export function cut(text: string, parts: number): string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / parts));
  const count = Math.ceil(characters.length / size);
  return Array.from({ length: count }, (_, i) => characters.slice(i * size, (i + 1) * size).join(''));
}

const choice = (delta: object, finishReason: string | null) => ({
  index: 0,
  delta,
  logprobs: null,
  finish_reason: finishReason,
});

const withTotal = (usage: Usage) => ({
  ...usage,
  total_tokens: usage.prompt_tokens + usage.completion_tokens,
});
