import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { nextTick } from 'node:process';
import type { Ending, Listener } from '../../core/runs/event.js';
import { toShow } from '../middleware/error-handler.js';
import type { Frames } from './openai-wire.js';

export interface StreamOptions {
  readonly frames: Frames;
  readonly includeUsage: boolean;
  readonly heartbeatMs: number;
}

export const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

type Start = (listener: Listener) => Promise<Ending>;

/** Sends a run as it happens, no faster than it is read. */
export function sendStream(res: ServerResponse, start: Start, options: StreamOptions): Promise<void> {
  res.writeHead(200, STREAM_HEADERS);
  return tellRun(start, options, new FramesOfResponse(res));
}

/** Runs it, and tells it in frames. A fault after the first byte is the last frame. */
export async function tellRun(
  start: Start,
  { frames, includeUsage, heartbeatMs }: StreamOptions,
  out: FrameWriter,
): Promise<void> {
  // It looks when the last one left: to put it off for every word would cost more.
  const beat = () => {
    const silentMs = performance.now() - out.wroteAt;
    const isSilent = silentMs >= heartbeatMs;
    if (isSilent) out.send(frames.heartbeat());
    heart = setTimeout(beat, isSilent ? heartbeatMs : heartbeatMs - silentMs);
  };
  let heart = setTimeout(beat, heartbeatMs);
  try {
    out.send(frames.role());
    const ending = await start({
      say(text) {
        out.sendWords(frames.text(text));
        return out.full;
      },
      tell(event) {
        out.send(frames.status(event));
        return out.full;
      },
    });
    out.send(frames.end(ending) + (includeUsage ? frames.usage(ending) : '') + frames.done());
  } catch (fault) {
    out.send(frames.error(toShow(fault)));
  } finally {
    clearTimeout(heart);
    out.end();
  }
}

export interface FrameWriter {
  /** When the last of them left or, before that, when it was made; as `performance.now()` counts. */
  readonly wroteAt: number;
  /** While the reader is slow: settles when it has caught up, or has left. */
  readonly full: Promise<void> | undefined;
  /** Leaves a turn of the event loop later: by then the model has been asked its next question, which is waited for. */
  send(frame: string): void;
  /** Leaves at once, and before anything is done about the end of the answer. */
  sendWords(frame: string): void;
  end(): void;
}

/**
 * Writes to a response that has its head. What Node writes in four pieces for a chunk (RFC 9112, section 7.1) is put together
 * here, which is a tenth of what a word costs: docs/decisions/0160-a-chunk-in-one-piece.md.
 */
export class ChunkWriter {
  protected readonly res: ServerResponse;
  #hasBegun = false;

  constructor(res: ServerResponse) {
    this.res = res;
  }

  write(text: string): boolean {
    const { res } = this;
    const { socket } = res;
    // The head goes with the first. Whoever asks before an earlier answer is over, speaks HTTP/1.0 or has closed their side is
    // Node's; and so is what comes too late, which would stand in the next answer, and an empty chunk, which would be the end.
    const isOpen = socket?.writable === true && res.chunkedEncoding && !res.writableEnded;
    if (this.#hasBegun && isOpen && text !== '') {
      return socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
    }
    this.#hasBegun = true;
    return res.write(text);
  }
}

/**
 * What one read of a provider's answer brings leaves in one write, and so do the frames of one turn of the event loop. A class:
 * its state is touched for every word, and lies in one place (docs/decisions/0161-what-a-word-touches.md).
 */
class FramesOfResponse extends ChunkWriter implements FrameWriter {
  wroteAt = performance.now();
  full: Promise<void> | undefined;
  #pending = '';
  #isLeaving = false;

  send(frame: string): void {
    if (frame === '') return;
    if (this.#pending === '') setImmediate(FramesOfResponse.#flushLater, this);
    this.#pending += frame;
  }

  sendWords(frame: string): void {
    this.#pending += frame;
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    nextTick(FramesOfResponse.#flush, this);
  }

  end(): void {
    this.res.end(this.#takeAll());
  }

  static #flushLater(frames: FramesOfResponse): void {
    setImmediate(FramesOfResponse.#flush, frames);
  }

  static #flush(frames: FramesOfResponse): void {
    frames.#isLeaving = false;
    const text = frames.#takeAll();
    if (text === '' || frames.res.destroyed) return;
    frames.wroteAt = performance.now();
    if (!frames.write(text)) frames.#waitForReader();
  }

  #takeAll(): string {
    const text = this.#pending;
    this.#pending = '';
    return text;
  }

  #waitForReader(): void {
    this.full = drainOrClose(this.res).finally(() => {
      this.full = undefined;
    });
  }
}

/** A reader that has left, or broken off, will never drain. */
export async function drainOrClose(res: ServerResponse): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    // Of a response alone Node does not tell where its chunks are written past it.
    await Promise.race([once(res.socket ?? res, 'drain', { signal }), once(res, 'close', { signal })]);
  } catch {
    // What broke is told where the response is closed.
  } finally {
    settled.abort();
  }
}
