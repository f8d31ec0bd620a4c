import { once } from 'node:events';
import type { Response } from 'express';
import type { Ending, RunEvent } from '../core/event.js';
import { toShow } from './error-handler.js';
import type { Frames } from './openai-wire.js';

export interface StreamOptions {
  readonly frames: Frames;
  readonly includeUsage: boolean;
  readonly heartbeatMs: number;
}

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** Sends a run as it happens, no faster than it is read. A fault after the first byte is the last frame. */
export async function sendStream(
  res: Response,
  events: AsyncGenerator<RunEvent, Ending>,
  { frames, includeUsage, heartbeatMs }: StreamOptions,
): Promise<void> {
  res.writeHead(200, HEADERS);
  const heart = setInterval(() => {
    if (!res.destroyed) res.write(frames.heartbeat());
  }, heartbeatMs);
  const send = async (frame: string) => {
    if (frame === '' || res.destroyed) return;
    heart.refresh();
    if (!res.write(frame)) await drainOrClose(res);
  };
  try {
    await send(frames.role());
    const ending = await sendEvents(events, frames, send);
    await send(frames.end(ending) + (includeUsage ? frames.usage(ending) : '') + frames.done());
  } catch (fault) {
    await send(frames.error(toShow(fault)));
  } finally {
    clearInterval(heart);
    res.end();
  }
}

async function sendEvents(
  events: AsyncGenerator<RunEvent, Ending>,
  frames: Frames,
  send: (frame: string) => Promise<void>,
): Promise<Ending> {
  for (;;) {
    const step = await events.next();
    if (step.done) return step.value;
    const event = step.value;
    await send(event.type === 'text' ? frames.text(event.text) : frames.status(event));
  }
}

/** A reader that has left will never drain. */
async function drainOrClose(res: Response): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(res, 'drain', { signal }), once(res, 'close', { signal })]).finally(() => {
    settled.abort();
  });
}
