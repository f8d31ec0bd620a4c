import { type Dispatcher, fetch as undiciFetch, type RequestInit as UndiciInit } from 'undici';
import { AppError, timedOut, tooLarge, upstreamFailed } from '../core/errors.js';
import { createDeadline, type Deadline } from '../core/runs/deadline.js';
import { checkedUrl, type Hop, isRedirect, nextHop } from './redirects.js';

const USUAL_MOST_BYTES = 10 * 1024 * 1024;
const MOST_REDIRECTS = 5;
const WHO = 'The other service';

interface GuardedFetchDeps {
  readonly dispatcher: Dispatcher;
  /** From the first byte sent to the last byte read, redirects included. */
  readonly mostMs: number;
  /** Of an answer; a tool gets no more than the usual. */
  readonly mostBytes?: number;
}

type Init = Omit<RequestInit, 'dispatcher'>;

/** `fetch` for tools and documents: through the guard, with caps on what comes back and for how long, and faults safe to show. */
export function createGuardedFetch({
  dispatcher,
  mostMs,
  mostBytes = USUAL_MOST_BYTES,
}: GuardedFetchDeps): typeof fetch {
  const guarded = async (input: string | URL, init: Init = {}): Promise<Response> => {
    const hop = firstHop(input, init);
    const deadline = createDeadline(init.signal ?? new AbortController().signal, mostMs);
    const shown = (fault: unknown) => faultToShow(fault, deadline);
    try {
      const response = await follow(hop, init, { dispatcher, signal: deadline.signal });
      return taken(response, { deadline, shown, mostBytes });
    } catch (fault) {
      deadline.dispose();
      throw shown(fault);
    }
  };
  return guarded as typeof fetch;
}

function firstHop(input: string | URL, init: Init): Hop {
  const url = checkedUrl(input);
  try {
    return {
      url,
      method: (init.method ?? 'GET').toUpperCase(),
      headers: new Headers(init.headers),
      body: init.body,
    };
  } catch (fault) {
    // The reason quotes the header, which may hold a credential.
    throw upstreamFailed(WHO, fault);
  }
}

interface Line {
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

/** Redirects are followed here, not by the library, which would take most headers along to another host. */
async function follow(first: Hop, { redirect = 'follow' }: Init, line: Line): Promise<Response> {
  let hop = first;
  for (let followed = 0; ; followed++) {
    const response = await send(hop, line);
    if (redirect === 'manual' || !isRedirect(response)) return response;
    await response.body?.cancel();
    if (redirect === 'error' || followed === MOST_REDIRECTS) throw upstreamFailed(WHO);
    hop = nextHop(hop, response);
  }
}

async function send({ url, method, headers, body }: Hop, line: Line): Promise<Response> {
  const init = { method, headers: [...headers], body, redirect: 'manual', ...line };
  return await undiciFetch(url, init as UndiciInit);
}

interface Taking {
  readonly deadline: Deadline;
  readonly shown: (fault: unknown) => unknown;
  readonly mostBytes: number;
}

/** The answer as the caller gets it. Its time runs until its body has been read, or is of no interest any more. */
function taken(response: Response, { deadline, shown, mostBytes }: Taking): Response {
  const { status, statusText, headers, body } = response;
  if (status < 200 || status > 599) throw upstreamFailed(WHO);
  if (!body) deadline.dispose();
  const caps = { mostBytes, shown, ended: deadline.dispose };
  return new Response(body && cappedBody(body, caps), { status, statusText, headers: [...headers] });
}

/** undici hides the guard's refusal one level down, and says of much else what is not for everybody. */
function faultToShow(fault: unknown, deadline: Deadline): unknown {
  if (deadline.expired()) return timedOut(WHO);
  const cause = fault instanceof TypeError ? fault.cause : undefined;
  if (cause instanceof AppError) return cause;
  return fault instanceof TypeError ? upstreamFailed(WHO, fault) : fault;
}

interface Caps {
  readonly mostBytes: number;
  /** What a reader is told when the source breaks. */
  readonly shown: (fault: unknown) => unknown;
  /** Called once, when nothing more will be read. */
  readonly ended: () => void;
}

/** The bytes of a body as they come, up to a limit; past it the sender is hung up on. */
export function cappedBody(source: ReadableStream, { mostBytes, shown, ended }: Caps): ReadableStream {
  const reader = (source as ReadableStream<Uint8Array>).getReader();
  let seen = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          ended();
          controller.close();
          return;
        }
        seen += value.byteLength;
        if (seen > mostBytes) throw tooLarge('The other service sent more than can be taken.');
        controller.enqueue(value);
      } catch (fault) {
        // Rejects when the source is what broke, which is being told already.
        reader.cancel(fault).catch(() => undefined);
        controller.error(shown(fault));
        ended();
      }
    },
    async cancel(reason) {
      ended();
      await reader.cancel(reason);
    },
  });
}

/** `fetch` for addresses that an administrator has set, which may be private. No tool gets to see it. */
export function createTrustedFetch(dispatcher: Dispatcher): typeof fetch {
  const trusted = (input: string | URL, init: object = {}) => undiciFetch(input, { ...init, dispatcher });
  return trusted as unknown as typeof fetch;
}
