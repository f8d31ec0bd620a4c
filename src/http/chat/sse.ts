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
  return tellRun(start, options, (onWrite) => createFrameWriter(res, onWrite));
}

/** Runs it, and tells it in frames. A fault after the first byte is the last frame. */
export async function tellRun(
  start: Start,
  { frames, includeUsage, heartbeatMs }: StreamOptions,
  createOut: (onWrite: () => void) => FrameWriter,
): Promise<void> {
  const heart = setInterval(() => {
    out.send(frames.heartbeat());
  }, heartbeatMs);
  const out = createOut(() => heart.refresh());
  try {
    out.send(frames.role());
    const ending = await start({
      say(text) {
        out.sendWords(frames.text(text));
        return out.full();
      },
      tell(event) {
        out.send(frames.status(event));
        return out.full();
      },
    });
    out.send(frames.end(ending) + (includeUsage ? frames.usage(ending) : '') + frames.done());
  } catch (fault) {
    out.send(frames.error(toShow(fault)));
  } finally {
    clearInterval(heart);
    out.end();
  }
}

export interface FrameWriter {
  /** Leaves a turn of the event loop later: by then the model has been asked its next question, which is waited for. */
  send(frame: string): void;
  /** Leaves at once, and before anything is done about the end of the answer. */
  sendWords(frame: string): void;
  /** While the reader is slow: settles when it has caught up, or has left. */
  full(): Promise<void> | undefined;
  end(): void;
}

/** What one read of a provider's answer brings leaves in one write, and so do the frames of one turn of the event loop. */
function createFrameWriter(res: ServerResponse, onWrite: () => void): FrameWriter {
  let pending = '';
  let isLeaving = false;
  let full: Promise<void> | undefined;

  const flush = () => {
    isLeaving = false;
    const frames = pending;
    pending = '';
    if (frames === '' || res.destroyed) return;
    onWrite();
    if (res.write(frames)) return;
    full = drainOrClose(res).finally(() => {
      full = undefined;
    });
  };
  const flushLater = () => setImmediate(flush);
  return {
    send(frame) {
      if (frame === '') return;
      if (pending === '') setImmediate(flushLater);
      pending += frame;
    },
    sendWords(frame) {
      pending += frame;
      if (isLeaving) return;
      isLeaving = true;
      nextTick(flush);
    },
    full: () => full,
    end() {
      const frames = pending;
      pending = '';
      res.end(frames);
    },
  };
}

/** A reader that has left, or broken off, will never drain. */
export async function drainOrClose(res: ServerResponse): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]);
  } catch {
    // What broke is told where the response is closed.
  } finally {
    settled.abort();
  }
}
