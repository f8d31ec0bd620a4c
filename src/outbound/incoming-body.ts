/** Whoever sends the bytes, as far as they can be told to wait or to stop. */
export interface Sender {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

/** A body as it comes in. Its reader gets all that has arrived at once, and holds up the sender by being slow. */
export interface IncomingBody extends AsyncIterable<Uint8Array> {
  comesFrom(sender: Sender): void;
  push(bytes: Uint8Array): void;
  end(): void;
  /** No more will come: the reader is told why after what has arrived, and the sender to stop. */
  fail(reason: unknown): void;
  /** Reads up to so many bytes for nothing, so that the connection can be used again; gives it up when there are more. */
  discard(mostBytes: number): Promise<void>;
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
  let wake: (() => void) | undefined;

  const settle = (how: 'ended' | 'failed') => {
    if (state === 'open') state = how;
    wake?.();
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
    if (state !== 'open') return;
    reason = why;
    settle('failed');
    sender?.abort(asError(why));
  };

  async function next(): Promise<IteratorResult<Uint8Array, undefined>> {
    while (waiting === 0 && state === 'open') {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      wake = undefined;
    }
    if (waiting > 0) return { done: false, value: takeAll() };
    if (state === 'failed') throw reason;
    return { done: true, value: undefined };
  }

  return {
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
    push(bytes) {
      arrived.push(bytes);
      waiting += bytes.length;
      if (waiting > MOST_WAITING && !paused) {
        paused = true;
        sender?.pause();
      }
      wake?.();
    },
    end: () => {
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
