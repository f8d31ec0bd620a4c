import { AppError } from '../../src/core/errors.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import { eventsFromProvider, type ProviderEvent } from './provider-events.js';

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
