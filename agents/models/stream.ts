import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { brokenOff, bytesFromProvider, EVENT_STREAM, type ProviderCall } from '../../src/clients/provider.js';
import { isRecord, type JsonRecord } from '../../src/core/base/json.js';
import { AppError } from '../../src/core/errors.js';
import type { ModelTransport, RunContext } from '../../src/core/runs/run-context.js';

/** One call of a provider, for a library that would rather make it itself. */
export interface ProviderLine {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Sends the request and gives the events of its answer. */
  ask(body: string, headers?: Readonly<Record<string, string>>): AsyncGenerator<ProviderEvent, void>;
  /** The same as `fetch`. Whatever address or credential the library has, ours is used. */
  readonly fetch: typeof fetch;
  /** What went wrong on the line, typed, whatever the library made of it. */
  fault(): AppError | undefined;
  /** Whether anything was sent at all. */
  used(): boolean;
  /** Ends whatever is still going on. */
  hangUp(): void;
}

/** Headers of a library's own that say how its request is to be read. No credential is among them. */
const PASSED_ON = ['content-type', 'anthropic-version', 'anthropic-beta'];

export function openProviderLine(
  { url, headers: own }: Pick<ProviderLine, 'url' | 'headers'>,
  ctx: Pick<RunContext, 'models' | 'signal'>,
): ProviderLine {
  const controller = new AbortController();
  const { signal } = controller;
  let fault: AppError | undefined;
  let used = false;
  const end = () => {
    controller.abort(ctx.signal.reason);
  };
  if (ctx.signal.aborted) end();
  else ctx.signal.addEventListener('abort', end, { once: true });

  async function* ask(body: string, more: Readonly<Record<string, string>> = {}) {
    used = true;
    try {
      const headers = { 'content-type': 'application/json', accept: 'text/event-stream', ...more, ...own };
      yield* eventsFromProvider({ url, headers, body, signal }, ctx.models);
    } catch (thrown) {
      if (thrown instanceof AppError) fault ??= thrown;
      throw thrown;
    }
  }

  async function answer(_url: unknown, init: RequestInit = {}): Promise<Response> {
    const events = ask(init.body as string, passedOn(init.headers));
    const first = await events.next();
    return new Response(ReadableStream.from<Uint8Array>(encoded(first, events)), {
      headers: { 'content-type': 'text/event-stream' },
    });
  }

  return {
    ...{ url, headers: own, signal, ask },
    fetch: answer,
    fault: () => fault,
    used: () => used,
    hangUp() {
      ctx.signal.removeEventListener('abort', end);
      controller.abort();
    },
  };
}

function passedOn(headers: RequestInit['headers']): Record<string, string> {
  return Object.fromEntries([...new Headers(headers)].filter(([name]) => PASSED_ON.includes(name)));
}

async function* encoded(
  first: IteratorResult<ProviderEvent, void>,
  rest: AsyncGenerator<ProviderEvent, void>,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for (let step = first; !step.done; step = await rest.next()) {
    const { event, data } = step.value;
    const named = event === undefined ? '' : `event: ${event}\n`;
    yield encoder.encode(`${named}data: ${JSON.stringify(data)}\n\n`);
  }
}

/** The last word of those who speak like OpenAI. */
const DONE = '[DONE]';
const LONGEST_EVENT = 2_000_000;
/** Trying to read costs more than sending: nonsense without end would keep everybody else waiting. */
export const MOST_UNREADABLE = 1_000;

interface ProviderEvent {
  readonly event: string | undefined;
  readonly data: JsonRecord;
}

/** The events of a provider's answer whose data is a JSON object; what cannot be read is passed over. */
async function* eventsFromProvider(
  call: Omit<ProviderCall, 'expects'>,
  models: ModelTransport,
): AsyncGenerator<ProviderEvent, void> {
  const decoder = new TextDecoder();
  const fresh: EventSourceMessage[] = [];
  const faults: string[] = [];
  let unreadable = 0;
  let isDone = false;
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: (event) => fresh.push(event),
    onError: ({ type }) => faults.push(type),
  });
  const isWhole = () => isDone;
  for await (const bytes of bytesFromProvider({ ...call, expects: EVENT_STREAM, isWhole }, models)) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    for (const { event, data } of fresh.splice(0)) {
      isDone ||= data === DONE;
      if (isDone) continue;
      const value = parsed(data);
      if (isRecord(value)) yield { event, data: value };
      else if (++unreadable > MOST_UNREADABLE) throw brokenOff('sent an answer that cannot be understood');
    }
    if (faults.includes('max-buffer-size-exceeded')) throw brokenOff('sent too much at once');
  }
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
