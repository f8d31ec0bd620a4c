import type { ServerResponse } from 'node:http';
import { AppError } from '../../core/errors.js';
import type { ResumableRun } from '../../core/runs/run-frames.js';
import { INTERRUPTED } from '../../core/runs/under-way.js';
import type { FollowRun, NumberedFrames, Outcome } from '../../runs/frame-reader.js';
import { errorBody } from '../middleware/error-handler.js';
import { drainOrClose } from './sse.js';

export const numbered = (id: number, frame: string): string => `id: ${String(id)}\n${frame}`;

interface Reading {
  /** The last frame that the reader has. */
  readonly after: number;
  readonly signal: AbortSignal;
  readonly followRun: FollowRun;
}

/** Sends what a run has told after a frame and goes on telling, no faster than it is read. */
export async function sendFrames(
  res: ServerResponse,
  run: ResumableRun,
  { after, signal, followRun }: Reading,
): Promise<void> {
  const reading = followRun(run, after, signal);
  let lastId = after;
  try {
    for (;;) {
      const step = await reading.next();
      if (res.destroyed) return;
      if (step.done) {
        res.end(lastWords(step.value, lastId + 1));
        return;
      }
      lastId += step.value.frames.length;
      if (!res.write(inWords(step.value, run))) await drainOrClose(res);
    }
  } catch {
    // The database is away, or the service stops: a stream without its end tells the reader to come again.
    res.end();
  } finally {
    await reading.return('forgotten');
  }
}

function inWords({ firstId, frames }: NumberedFrames, { textFrame: { head, tail } }: ResumableRun): string {
  return frames
    .map((frame, i) => numbered(firstId + i, frame.startsWith('"') ? head + frame + tail : frame))
    .join('');
}

/** What a run could not say itself. */
function lastWords(outcome: Outcome, id: number): string {
  if (outcome === 'ended') return '';
  const message =
    outcome === 'interrupted'
      ? 'The run was interrupted: the process that answered it has ended. Ask again.'
      : 'What this run has told is not kept any more.';
  const code = outcome === 'interrupted' ? INTERRUPTED : 'not_found';
  const fault = new AppError(message, { status: 500, type: 'api_error', code });
  return numbered(id, `data: ${JSON.stringify(errorBody(fault, { redact: (text) => text }))}\n\n`);
}
