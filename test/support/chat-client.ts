import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { Agent, request } from 'undici';

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/** The status block of spec 8.2; every key but the first three depends on the type. */
export interface StatusBlock {
  readonly v: number;
  readonly seq: number;
  readonly type: string;
  readonly label?: string;
  readonly tool?: string;
  readonly call_id?: string;
  readonly iteration?: number;
  readonly iterations?: number;
  readonly capped?: string | false;
  readonly sources?: readonly Record<string, unknown>[];
  readonly [other: string]: unknown;
}

export interface ErrorBody {
  readonly message: string;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** One frame's payload: a `chat.completion.chunk`, or an object with `error` alone. */
export interface Chunk {
  readonly id?: string;
  readonly object?: string;
  readonly created?: number;
  readonly model?: string;
  readonly choices?: readonly {
    readonly index: number;
    readonly delta: { readonly role?: string; readonly content?: string; readonly [other: string]: unknown };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: Usage | null;
  readonly x_bellwether?: StatusBlock;
  readonly event?: { readonly type: string; readonly data: Record<string, unknown> };
  readonly error?: ErrorBody;
}

export type Frame = Chunk | '[DONE]';

export interface Completion {
  readonly id: string;
  readonly object: string;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly message: { readonly role: string; readonly content: string | null };
    readonly finish_reason: string;
  }[];
  readonly usage: Usage;
  readonly x_bellwether: {
    readonly run_id: string;
    readonly iterations: number;
    readonly ignored?: readonly string[];
    readonly capped: string | false;
    readonly sources: readonly Record<string, unknown>[];
    readonly tools: readonly { readonly tool: string; readonly ok: boolean; readonly ms: number }[];
  };
  readonly error?: ErrorBody;
}

export interface WholeStream {
  readonly frames: readonly Frame[];
  readonly chunks: readonly Chunk[];
  /** The answer's text, put together. */
  readonly text: string;
  readonly statuses: readonly StatusBlock[];
  readonly error: ErrorBody | undefined;
  readonly done: boolean;
}

export interface ChatStream {
  readonly response: Response;
  /** Can be read once; leaving the loop early hangs up. */
  readonly frames: AsyncIterable<Frame>;
  /** The text received so far, exactly as it came. */
  raw(): string;
  /** Reads the rest of the frames. */
  whole(): Promise<WholeStream>;
}

/**
 * Reads a response as server-sent events. A response that is none, such as an error, has no frames but `raw()`. What was
 * received is checked when it is over, or is left.
 */
export function readStream(response: Response, check: (text: string) => void = () => undefined): ChatStream {
  const received: string[] = [];
  const frames = framesOf(response, received, check);
  return {
    response,
    frames,
    raw: () => received.join(''),
    async whole() {
      const all: Frame[] = [];
      for await (const frame of frames) all.push(frame);
      return summary(all);
    },
  };
}

async function* framesOf(
  response: Response,
  received: string[],
  check: (text: string) => void,
): AsyncGenerator<Frame, void> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;

  try {
    for await (const bytes of response.body ?? []) {
      const text = decoder.decode(bytes as Uint8Array, { stream: true });
      received.push(text);
      if (isStream) parser.feed(text);
      for (const { data } of events.splice(0)) yield parseFrame(data);
    }
  } finally {
    check(received.join(''));
  }
}

function parseFrame(data: string): Frame {
  if (data === '[DONE]') return data;
  try {
    return JSON.parse(data) as Chunk;
  } catch {
    throw new Error(`A frame that is not JSON: ${data}`);
  }
}

function summary(frames: readonly Frame[]): WholeStream {
  const chunks = frames.filter((frame) => frame !== '[DONE]');
  return {
    frames,
    chunks,
    text: chunks.map((chunk) => chunk.choices?.[0]?.delta.content ?? '').join(''),
    statuses: chunks.flatMap((chunk) => chunk.x_bellwether ?? []),
    error: chunks.find((chunk) => chunk.error)?.error,
    done: frames.at(-1) === '[DONE]',
  };
}

export interface WholeAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const OF_FETCH = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' };
/** One that is refused before it was sent breaks off the writing of it. */
const MOST_AT_ONCE = 65_536;

const connections = new Agent();

/** What `fetch` would bring, for half of the time: the streams and signals of the web take longer than the request. */
export async function wholeAnswer(url: string, init: RequestInit): Promise<WholeAnswer> {
  const { body, signal, method = 'GET' } = init;
  if (body !== undefined && (typeof body !== 'string' || body.length > MOST_AT_ONCE))
    return fetched(url, init);
  // What comes squeezed is unpacked by fetch alone.
  if (new Headers(init.headers).has('accept-encoding')) return fetched(url, init);
  try {
    const answer = await request(url, {
      ...{ method, headers: headersOf(init), dispatcher: connections },
      ...(body === undefined ? {} : { body }),
      ...(signal ? { signal } : {}),
    });
    const text = await answer.body.text();
    if (answer.headers.location !== undefined && answer.statusCode >= 300 && method === 'GET')
      return await fetched(url, init);
    return { status: answer.statusCode, headers: received(answer.headers), text };
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new TypeError('fetch failed', { cause: error });
  }
}

async function fetched(url: string, init: RequestInit): Promise<WholeAnswer> {
  const response = await fetch(url, init);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function headersOf({ headers = {}, body }: RequestInit): Record<string, string> {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
  const ofText = body === undefined ? {} : { 'content-type': 'text/plain;charset=UTF-8' };
  return { ...OF_FETCH, ...ofText, ...(Object.fromEntries(given) as Record<string, string>) };
}

function received(fields: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(fields))
    for (const value of [values].flat()) headers.append(name, value);
  return headers;
}
