import type { IncomingHttpHeaders } from 'node:http';
import { nextTick } from 'node:process';
import type { Agent, Dispatcher } from 'undici';
import type { AnswerBody, ModelTransport } from '../core/runs/run-context.js';

const LARGEST_DISCARDED = 64 * 1024;
/** After all that was wanted, the end of a body is waited for so long, as the connection can be used again then. */
const END_WITHIN_MS = 1_000;

type Answer = Awaited<ReturnType<ModelTransport['post']>>;

/** Kept-alive HTTP to the providers an administrator has set, without any kind of stream: they cost too much here. */
export function createModelTransport(dispatcher: Agent): ModelTransport {
  return {
    post: (request) =>
      new Promise((resolve, reject) => {
        const { origin, pathname, search } = new URL(request.url);
        const { headers, body } = request;
        const path = pathname + search;
        const incoming = new IncomingAnswer(request.signal, resolve, reject);
        dispatcher.dispatch({ origin, path, method: 'POST', headers, body }, incoming);
      }),
  };
}

/** Whoever sends the bytes, as far as they can be told to wait or to stop. */
export interface Sender {
  pause(): void;
  resume(): void;
  abort(reason: Error): void;
}

interface Reader {
  take(bytes: Uint8Array): Promise<void> | undefined;
  end(): void;
  fail(reason: unknown): void;
}

/** More than this is not kept waiting for a slow reader. */
const MOST_WAITING = 128 * 1024;

/**
 * A body as it comes in. Its reader gets all that has arrived at once, and holds up the sender by being slow. A class: its state
 * is touched for every word of every answer, and lies in one place (docs/decisions/0161-what-a-word-touches.md).
 */
export class IncomingBody implements AnswerBody {
  #arrived: Uint8Array[] = [];
  #waiting = 0;
  #state: 'open' | 'ended' | 'failed' = 'open';
  #reason: unknown;
  #sender: Sender | undefined;
  #isPaused = false;
  #reader: Reader | undefined;
  #isWaking = false;
  #isSlow = false;
  #tooLong: NodeJS.Timeout | undefined;

  read(take: Reader['take']): Promise<void> {
    return new Promise((end, fail) => {
      this.#readBy({ take, end, fail });
    });
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return {
      next: () => this.#next(),
      return: () => {
        this.fail(new Error('The reader has left.'));
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  comesFrom(whoever: Sender): void {
    this.#sender = whoever;
    if (this.#state === 'failed') whoever.abort(asError(this.#reason));
  }

  enough(): void {
    if (this.#state !== 'open') return;
    this.#settle('ended');
    const sender = this.#sender;
    this.#tooLong = setTimeout(
      () => sender?.abort(new Error('More than is worth waiting for.')),
      END_WITHIN_MS,
    );
    this.#tooLong.unref();
  }

  push(bytes: Uint8Array): void {
    if (this.#state !== 'open') return;
    this.#arrived.push(bytes);
    this.#waiting += bytes.length;
    if (this.#waiting > MOST_WAITING && !this.#isPaused) {
      this.#isPaused = true;
      this.#sender?.pause();
    }
    this.#wake();
  }

  end(): void {
    clearTimeout(this.#tooLong);
    this.#settle('ended');
  }

  /** No more will come: the reader is told why after what has arrived, and the sender to stop. */
  fail(why: unknown): void {
    clearTimeout(this.#tooLong);
    if (this.#state !== 'open') return;
    this.#reason = why;
    this.#settle('failed');
    this.#sender?.abort(asError(why));
  }

  /** Reads up to so many bytes for nothing, so that the connection can be used again; gives it up when there are more. */
  async discard(mostBytes: number): Promise<void> {
    let seen = 0;
    try {
      for (let step = await this.#next(); !step.done; step = await this.#next()) {
        seen += step.value.length;
        if (seen > mostBytes) this.fail(new Error('More than is worth reading.'));
      }
    } catch {
      // However it ends, it is over.
    }
  }

  /** A reader for one time. */
  #next(): Promise<IteratorResult<Uint8Array, undefined>> {
    return new Promise((resolve, reject) => {
      this.#readBy({
        take: (value) => {
          this.#reader = undefined;
          resolve({ done: false, value });
          return undefined;
        },
        end: () => {
          resolve({ done: true, value: undefined });
        },
        fail: reject,
      });
    });
  }

  #readBy(whoever: Reader): void {
    this.#reader = whoever;
    this.#handOn();
  }

  /** After all that one read of the connection has brought, which comes piece by piece. */
  #wake(): void {
    if (!this.#reader || this.#isWaking || this.#isSlow) return;
    this.#isWaking = true;
    nextTick(IncomingBody.#handOnIn, this);
  }

  static #handOnIn(body: IncomingBody): void {
    body.#isWaking = false;
    body.#handOn();
  }

  #handOn(): void {
    if (this.#reader && this.#waiting > 0 && !this.#isSlow) this.#handOnTo(this.#reader);
    if (!this.#reader || this.#waiting > 0 || this.#isSlow || this.#state === 'open') return;
    const { end, fail: tell } = this.#reader;
    this.#reader = undefined;
    if (this.#state === 'failed') tell(this.#reason);
    else end();
  }

  #handOnTo({ take }: Reader): void {
    try {
      const slow = take(this.#takeAll());
      if (!slow) return;
      this.#isSlow = true;
      slow.then(
        () => {
          this.#isSlow = false;
          this.#handOn();
        },
        (thrown: unknown) => {
          this.#leave(thrown);
        },
      );
    } catch (thrown) {
      this.#leave(thrown);
    }
  }

  #leave(thrown: unknown): void {
    const left = this.#reader;
    this.#reader = undefined;
    this.#isSlow = false;
    this.fail(thrown);
    left?.fail(thrown);
  }

  #settle(how: 'ended' | 'failed'): void {
    if (this.#state === 'open') this.#state = how;
    this.#wake();
  }

  #takeAll(): Uint8Array {
    const all = this.#arrived;
    const bytes = all.length === 1 ? (all.pop() as Uint8Array) : Buffer.concat(all.splice(0));
    this.#waiting = 0;
    if (this.#isPaused) {
      this.#isPaused = false;
      this.#sender?.resume();
    }
    return bytes;
  }
}

/** The answer to one question, as undici tells of it. */
class IncomingAnswer extends IncomingBody implements Dispatcher.DispatchHandler {
  readonly #signal: AbortSignal;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (fault: unknown) => void;

  constructor(signal: AbortSignal, resolve: (answer: Answer) => void, reject: (fault: unknown) => void) {
    super();
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    if (signal.aborted) this.#leaves();
    else signal.addEventListener('abort', this.#leaves, { once: true });
  }

  readonly #leaves = (): void => {
    const reason: unknown = this.#signal.reason;
    this.fail(reason);
    this.#reject(reason);
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.comesFrom(controller);
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#resolve({
      status,
      header: (name) => {
        const value = headers[name];
        return Array.isArray(value) ? value[0] : value;
      },
      body: this,
      discard: () => this.discard(LARGEST_DISCARDED),
    });
  }

  onResponseData(_controller: unknown, bytes: Buffer): void {
    this.push(bytes);
  }

  onResponseEnd(): void {
    this.#settled();
    this.end();
  }

  onResponseError(_controller: unknown, fault: Error): void {
    this.#settled();
    this.fail(fault);
    this.#reject(fault);
  }

  #settled(): void {
    this.#signal.removeEventListener('abort', this.#leaves);
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('No longer wanted.');
}
