import { setTimeout as pause } from 'node:timers/promises';
import { Router } from 'express';
import { z } from 'zod';
import { speakerOf } from '../../core/access/launched.js';
import type { Caller } from '../../core/access/caller.js';
import { AppError, notFound } from '../../core/errors.js';
import type { RunRecord } from '../../core/runs/record.js';
import { FRAMES_KEPT_MS, type FoundRun } from '../../core/runs/run-frames.js';
import type { Stores } from '../../core/stores.js';
import type * as wire from '../contract/runs.js';
import { parseWith } from '../middleware/json-body.js';
import type { OpenRuns } from '../middleware/open-runs.js';
import { callerOf } from '../middleware/request-facts.js';
import type { ResumableDeps } from './resumable.js';
import { sendFrames } from './run-frames.js';
import { STREAM_HEADERS } from './sse.js';

const FrameId = z.coerce.number().int().min(0).max(2_147_483_647);
export const EventsQuery = z.object({ after: FrameId.optional() });
export const LastEventId = z.object({ 'last-event-id': FrameId.optional() });

interface Deps extends Pick<Stores, 'runs' | 'runFrames'>, ResumableDeps {
  readonly openRuns: OpenRuns;
}

/** A run that was asked for with `X-Resume: on`, for whoever asked: to read it again or further, and to stop it. */
export function runEventRoutes(deps: Deps): Router {
  const { openRuns, followRun } = deps;
  return Router()
    .get('/lamb/v1/runs/:id/events', async (req, res) => {
      const { after } = parseWith(EventsQuery, req.query, 'The query');
      const { 'last-event-id': last } = parseWith(LastEventId, req.headers, 'The Last-Event-ID header');
      const run = await runToRead(callerOf(res), req.params.id, deps);
      const { signal, over } = openRuns.begin(res);
      try {
        res.writeHead(200, { ...STREAM_HEADERS, 'X-Run-Id': run.id });
        res.flushHeaders();
        await sendFrames(res, run, { after: after ?? last ?? 0, signal, followRun });
      } finally {
        over();
      }
    })
    .post('/lamb/v1/runs/:id/cancel', async (req, res) => {
      const status = await cancel(callerOf(res), req.params.id, deps);
      res.json({ run_id: req.params.id, status } satisfies wire.CancelledRun);
    });
}

const gone = () =>
  new AppError('What this run told is not kept any more. Its answer is in its conversation.', {
    ...{ status: 410, type: 'invalid_request_error', code: 'gone' },
  });

async function runToRead(caller: Caller, id: string, { runs, runFrames }: Deps): Promise<FoundRun> {
  const run = await runFrames.get(speakerOf(caller), id);
  if (run && !isPast(run)) return run;
  if (run || isOwn(await runs.get(id), caller)) throw gone();
  throw notFound('The run');
}

const isPast = ({ endedAt }: FoundRun) =>
  endedAt !== undefined && Date.parse(endedAt) + FRAMES_KEPT_MS < Date.now();

const isOwn = (run: RunRecord | undefined, caller: Caller): run is RunRecord =>
  run?.userId === caller.userId && run.activityId === caller.launch?.activityId;

/** How long somebody who cancels waits to hear that the run is over, and how often it is looked for. */
const OVER_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 50;

/** What became of the run; `cancelling` when its end has not been seen yet. */
async function cancel(
  caller: Caller,
  id: string,
  { runs, runFrames, frameWriter }: Deps,
): Promise<wire.CancelledRun['status']> {
  const whose = speakerOf(caller);
  const patience = Date.now() + OVER_WITHIN_MS;
  let run = await runFrames.get(whose, id);
  if (run && run.endedAt === undefined) {
    // By its row, too: another process may have the run, and looks there.
    if (!frameWriter.cancel(id)) await runFrames.cancel(id);
    while (run && run.endedAt === undefined && Date.now() < patience) {
      await pause(LOOK_EVERY_MS);
      run = await runFrames.get(whose, id);
    }
    if (run && run.endedAt === undefined) return 'cancelling';
  }
  const record = await runs.get(id);
  if (!isOwn(record, caller)) throw notFound('The run');
  return record.status;
}
