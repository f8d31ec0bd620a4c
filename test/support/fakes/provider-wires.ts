import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sendJson, write, type Exchange } from './ledger-server.js';
import { openStream, type Wire } from './model-performance.js';
import { DEFAULT_USAGE, type Call, type FunctionCall, type Say } from './model-script.js';
import { cut } from './model-wire.js';

/** What a provider writes before, for each piece of, and after an answer's text. */
interface Frames {
  readonly head: readonly string[];
  text(piece: string): string;
  readonly tail: readonly string[];
}

/** A provider whose answers are frames one after the other. */
function framedWire(contentType: string, framesFor: (exchange: Exchange, step: Say | Call) => Frames): Wire {
  return {
    contentType,
    async complete(exchange, step) {
      const { head, text, tail } = framesFor(exchange, step);
      const pieces = 'say' in step ? cut(step.say, step.chunks ?? 1) : step.text ? [step.text] : [];
      const pause = 'say' in step ? step.pause : undefined;
      openStream(exchange, contentType);
      for (const frame of head) await write(exchange, frame);
      for (const [sent, piece] of pieces.entries()) {
        if (sent === pause?.after) await exchange.gates.pass(pause.until, exchange.left);
        if (step.paceMs && sent > 0) await delay(step.paceMs, undefined, { signal: exchange.left });
        await write(exchange, text(piece));
      }
      for (const frame of tail) await write(exchange, frame);
      exchange.res.end();
    },
    async begin(exchange, texts) {
      const { head, text } = framesFor(exchange, { say: '' });
      openStream(exchange, contentType);
      if (texts.length === 0) return;
      for (const frame of [...head, ...texts.map(text)]) await write(exchange, frame);
    },
  };
}

const usageOf = ({ usage }: Say | Call) => usage ?? DEFAULT_USAGE;
const callsOf = (step: Say | Call) => ('call' in step ? step.call : []);
const objectIn = ({ arguments: args }: FunctionCall): unknown =>
  typeof args === 'string' ? (JSON.parse(args) as unknown) : args;

const ENDS = { stop: 'stop', length: 'length', content_filter: 'filter', tool_calls: 'stop' } as const;
const endOf = ({ finish = 'stop' }: Say | Call) => ENDS[finish];

/** `/api/chat`: one JSON object a line; arguments are objects, and calls have no ids. */
export const ollamaWire = framedWire('application/x-ndjson', ({ row }, step) => {
  const line = (message: object, more: object = { done: false }) =>
    `${JSON.stringify({ model: row.subject, created_at: '2026-01-01T00:00:00Z', message, ...more })}\n`;
  const { prompt_tokens, completion_tokens } = usageOf(step);
  const tool_calls = callsOf(step).map((call) => ({
    function: { name: call.name, arguments: objectIn(call) },
  }));
  const counts =
    step.usage === null ? {} : { prompt_eval_count: prompt_tokens, eval_count: completion_tokens };
  return {
    head: [],
    text: (content) => line({ role: 'assistant', content }),
    tail: [
      ...(tool_calls.length > 0 ? [line({ role: 'assistant', content: '', tool_calls })] : []),
      line({ role: 'assistant', content: '' }, { done: true, done_reason: endOf(step), ...counts }),
    ],
  };
});

/** `/v1/messages`: named events; blocks of text and of tool use, each opened and closed. */
export const anthropicWire = framedWire('text/event-stream; charset=utf-8', ({ row }, step) => {
  const event = (type: string, more: object = {}) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
  const { prompt_tokens, completion_tokens, prompt_tokens_details } = usageOf(step);
  const cached = prompt_tokens_details?.cached_tokens ?? 0;
  const message = {
    ...{ id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model: row.subject, content: [] },
    ...{ stop_reason: null, stop_sequence: null },
    usage: {
      ...{ input_tokens: prompt_tokens - cached, output_tokens: 1 },
      ...(cached > 0 ? { cache_read_input_tokens: cached } : {}),
    },
  };
  const calls = callsOf(step).flatMap(({ name, arguments: args, id }, i) => {
    const content_block = {
      type: 'tool_use',
      id: id ?? `toolu_${randomUUID().slice(0, 8)}`,
      name,
      input: {},
    };
    const json = typeof args === 'string' ? args : JSON.stringify(args);
    const parts = cut(json, ('fragments' in step && step.fragments) || 1);
    return [
      event('content_block_start', { index: i + 1, content_block }),
      ...parts.map((partial_json) =>
        event('content_block_delta', { index: i + 1, delta: { type: 'input_json_delta', partial_json } }),
      ),
      event('content_block_stop', { index: i + 1 }),
    ];
  });
  const reasons = {
    stop: calls.length > 0 ? 'tool_use' : 'end_turn',
    length: 'max_tokens',
    filter: 'refusal',
  };
  return {
    head: [
      event('message_start', { message }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('ping'),
    ],
    text: (text) => event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    tail: [
      event('content_block_stop', { index: 0 }),
      ...calls,
      event('message_delta', {
        delta: { stop_reason: reasons[endOf(step)], stop_sequence: null },
        usage: { output_tokens: completion_tokens },
      }),
      event('message_stop'),
    ],
  };
});

/** `:streamGenerateContent?alt=sse`: whole responses; the last one says only how it ended and what it cost. */
const geminiStream = framedWire('text/event-stream', (_exchange, step) => {
  const event = (candidate: object, more: object = {}) =>
    `data: ${JSON.stringify({ candidates: [{ ...candidate, index: 0 }], ...more, modelVersion: 'fake' })}\r\n\r\n`;
  const reasons = { stop: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' };
  const parts = callsOf(step).map((call) => ({
    functionCall: { name: call.name, args: objectIn(call) },
  }));
  return {
    head: [],
    text: (text) => event({ content: { role: 'model', parts: [{ text }] } }),
    tail: [
      ...(parts.length > 0 ? [event({ content: { role: 'model', parts } })] : []),
      event({ finishReason: reasons[endOf(step)] }, { usageMetadata: geminiUsage(step) }),
    ],
  };
});

export const geminiWire: Wire = {
  ...geminiStream,
  async complete(exchange, step) {
    if (exchange.url.pathname.endsWith(':streamGenerateContent'))
      return geminiStream.complete(exchange, step);
    const parts = [{ text: 'say' in step ? step.say : (step.text ?? '') }];
    return sendJson(exchange.res, 200, {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: geminiUsage(step),
    });
  },
};

const geminiUsage = (step: Say | Call) => {
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } =
    usageOf(step);
  const thoughts = completion_tokens_details?.reasoning_tokens ?? 0;
  return {
    promptTokenCount: prompt_tokens,
    candidatesTokenCount: completion_tokens - thoughts,
    ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}),
    ...(prompt_tokens_details ? { cachedContentTokenCount: prompt_tokens_details.cached_tokens } : {}),
    totalTokenCount: prompt_tokens + completion_tokens,
  };
};
