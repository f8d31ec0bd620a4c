import { nextTick } from 'node:process';
import type { Agent, Dispatcher } from 'undici';
import type { AnswerBody, ModelTransport } from '../core/runs/run-context.js';

const LARGEST_DISCARDED = 64 * 1024;
/** After all that was wanted, the end of a body is waited for so long, as the connection can be used again then. */
const END_WITHIN_MS = 1_000;

type Post = Parameters<ModelTransport['post']>[0];
type Answer = Awaited<ReturnType<ModelTransport['post']>>;

/** Kept-alive HTTP to the providers an administrator has set, without any kind of stream: they cost too much here. */
export function createModelTransport(dispatcher: Agent): ModelTransport {
  return {
    post: (request) =>
      new Promise((resolve, reject) => {
        const { origin, pathname, search } = new URL(request.url);
        const { headers, body } = request;
        const path = pathname + search;
        dispatcher.dispatch(
          { origin, path, method: 'POST', headers, body },
          createHandler(request, resolve, reject),
        );
      }),
  };
}

function createHandler(
  { signal }: Post,
  resolve: (answer: Answer) => void,
  reject: (fault: unknown) => void,
): Dispatcher.DispatchHandler {
  const body = createIncomingBody();
  const leave = () => {
    body.fail(signal.reason);
    reject(signal.reason);
  };
  const settled = () => {
    signal.removeEventListener('abort', leave);
  };
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });

  return {
    onRequestStart: (controller) => {
      body.comesFrom(controller);
    },
    onResponseStart(_controller, status, headers) {
      if (status < 200) return;
      resolve({
        status,
        header: (name) => {
          const value = headers[name];
          return Array.isArray(value) ? value[0] : value;
        },
        body,
        discard: () => body.discard(LARGEST_DISCARDED),
      });
    },
    onResponseData: (_controller, bytes) => {
      body.push(bytes);
    },
    onResponseEnd() {
      settled();
      body.end();
    },
    onResponseError(_controller, fault) {
      settled();
      body.fail(fault);
      reject(fault);
    },
  };
}

/** Whoever sends the bytes, as far as they can be told to wait or to stop. */
export interface Sender {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** A body as it comes in. Its reader gets all that has arrived at once, and holds up the sender by being slow. */
export interface IncomingBody extends AnswerBody {
  comesFrom(sender: Sender): void;
  push(bytes: Uint8Array): void;
  end(): void;
  /** No more will come: the reader is told why after what has arrived, and the sender to stop. */
  fail(reason: unknown): void;
  /** Reads up to so many bytes for nothing, so that the connection can be used again; gives it up when there are more. */
  discard(mostBytes: number): Promise<void>;
}

interface Reader {
  take(bytes: Uint8Array): Promise<void> | undefined;
  end(): void;
  fail(reason: unknown): void;
}

/** More than this is not kept waiting for a slow reader. */
const MOST_WAITING = 128 * 1024;

export function createIncomingBody(): IncomingBody {
  let arrived: Uint8Array[] = [];
  let waiting = 0;
  let state: 'open' | 'ended' | 'failed' = 'open';
  let reason: unknown;
  let sender: Sender | undefined;
  let paused = false;
  let reader: Reader | undefined;
  let isWaking = false;
  let isSlow = false;
  let tooLong: NodeJS.Timeout | undefined;

  /** After all that one read of the connection has brought, which comes piece by piece. */
  const wake = () => {
    if (!reader || isWaking || isSlow) return;
    isWaking = true;
    nextTick(handOn);
  };
  const handOn = () => {
    isWaking = false;
    if (reader && waiting > 0 && !isSlow) handOnTo(reader);
    if (!reader || waiting > 0 || isSlow || state === 'open') return;
    const { end, fail: tell } = reader;
    reader = undefined;
    if (state === 'failed') tell(reason);
    else end();
  };
  const handOnTo = ({ take }: Reader) => {
    try {
      const slow = take(takeAll());
      isSlow = slow !== undefined;
      slow?.then(goOn, leave);
    } catch (thrown) {
      leave(thrown);
    }
  };
  const goOn = () => {
    isSlow = false;
    handOn();
  };
  const leave = (thrown: unknown) => {
    const left = reader;
    reader = undefined;
    isSlow = false;
    fail(thrown);
    left?.fail(thrown);
  };
  const settle = (how: 'ended' | 'failed') => {
    if (state === 'open') state = how;
    wake();
  };
  const takeAll = (): Uint8Array => {
    const all = arrived;
    arrived = [];
    waiting = 0;
    if (paused) {
      paused = false;
      sender?.resume();
    }
    return all.length === 1 ? (all[0] as Uint8Array) : Buffer.concat(all);
  };
  const fail = (why: unknown) => {
    clearTimeout(tooLong);
    if (state !== 'open') return;
    reason = why;
    settle('failed');
    sender?.abort(asError(why));
  };

  const readBy = (whoever: Reader) => {
    reader = whoever;
    handOn();
  };
  /** A reader for one time. */
  const next = () =>
    new Promise<IteratorResult<Uint8Array, undefined>>((resolve, reject) => {
      readBy({
        take(value) {
          reader = undefined;
          resolve({ done: false, value });
          return undefined;
        },
        end: () => {
          resolve({ done: true, value: undefined });
        },
        fail: reject,
      });
    });

  return {
    read: (take) =>
      new Promise((end, tell) => {
        readBy({ take, end, fail: tell });
      }),
    [Symbol.asyncIterator]: () => ({
      next,
      return() {
        fail(new Error('The reader has left.'));
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
    comesFrom(whoever) {
      sender = whoever;
      if (state === 'failed') whoever.abort(asError(reason));
    },
    enough() {
      if (state !== 'open') return;
      settle('ended');
      tooLong = setTimeout(() => sender?.abort(new Error('More than is worth waiting for.')), END_WITHIN_MS);
      tooLong.unref();
    },
    push(bytes) {
      if (state !== 'open') return;
      arrived.push(bytes);
      waiting += bytes.length;
      if (waiting > MOST_WAITING && !paused) {
        paused = true;
        sender?.pause();
      }
      wake();
    },
    end: () => {
      clearTimeout(tooLong);
      settle('ended');
    },
    fail,
    async discard(mostBytes) {
      let seen = 0;
      try {
        for (let step = await next(); !step.done; step = await next()) {
          seen += step.value.length;
          if (seen > mostBytes) fail(new Error('More than is worth reading.'));
        }
      } catch {
        // However it ends, it is over.
      }
    },
  };
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('No longer wanted.');
}
