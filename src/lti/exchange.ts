import { AppError, timedOut, unusableAnswer, upstreamFailed } from '../core/errors.js';
import { createDeadline } from '../core/runs/deadline.js';

type Fetch = typeof globalThis.fetch;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Question {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly mostBytes?: number;
}

const MOST_MS = 5_000;
const MOST_BYTES = 256 * 1024;
const WHO = 'The learning platform';

/** Asks a platform for something: within five seconds, so much and no more, and without going where it is sent on to. */
export async function ask(fetch: Fetch, { url, mostBytes = MOST_BYTES, ...init }: Question): Promise<Reply> {
  const deadline = createDeadline(new AbortController().signal, MOST_MS);
  try {
    // A redirect would take the credential along.
    const response = await fetch(url, { ...init, redirect: 'manual', signal: deadline.signal });
    const text = await textOf(response, mostBytes);
    return { status: response.status, headers: response.headers, text };
  } catch (fault) {
    if (deadline.expired()) throw timedOut(WHO);
    // What else it says of addresses and headers is for the log.
    throw fault instanceof AppError ? fault : upstreamFailed(WHO, fault);
  } finally {
    deadline.dispose();
  }
}

async function textOf({ body }: Response, mostBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.byteLength;
    // Leaving the loop also lets go of the connection.
    if (size > mostBytes) throw unusableAnswer(`${WHO} sent more than can be taken.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Undefined for what is no JSON. Content types are not asked: Moodle calls its JSON HTML. */
export function jsonIn({ text }: Reply): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
