import { Router } from 'express';
import type { FollowUps } from '../../../agents/run/questions/follow-ups.js';
import type { AccessPolicy } from '../../core/access/access.js';
import type { Caller } from '../../core/access/caller.js';
import { speakerOf } from '../../core/access/launched.js';
import type { Assistant } from '../../core/assistants/assistant.js';
import { AppError, notFound } from '../../core/errors.js';
import { textOf } from '../../core/message.js';
import type { RunRecord } from '../../core/runs/record.js';
import type { Stores } from '../../core/stores.js';
import type * as wire from '../contract/runs.js';
import type { OpenRuns } from '../middleware/open-runs.js';
import { callerOf } from '../middleware/request-facts.js';

interface Deps extends Pick<Stores, 'assistants' | 'conversations' | 'runs'> {
  readonly policy: AccessPolicy;
  readonly followUps: FollowUps;
  readonly openRuns: OpenRuns;
}

/** What whoever got an answer could ask next, where its assistant offers that. Nothing of it is kept. */
export function followUpRoutes(deps: Deps): Router {
  return Router().post('/lamb/v1/runs/:id/follow-ups', async (req, res) => {
    const caller = callerOf(res);
    const run = await ownRun(req.params.id, caller, deps);
    const assistant = await offering(run, caller, deps);
    const { question, answer } = await saidIn(run, caller, deps);
    const { signal, over } = deps.openRuns.begin(res);
    try {
      const asked = { caller, assistant, runId: run.id, question, answer, signal };
      res.json({ follow_ups: [...(await deps.followUps(asked))] } satisfies wire.FollowUps);
    } finally {
      over();
    }
  });
}

async function ownRun(id: string, caller: Caller, { runs }: Deps): Promise<RunRecord> {
  const run = await runs.get(id);
  const isOwn = run?.userId === caller.userId && run.activityId === caller.launch?.activityId;
  if (!run || !isOwn || run.parentRunId !== undefined) throw notFound('The run');
  return run;
}

const notOffered = (message: string) =>
  new AppError(message, { status: 409, type: 'invalid_request_error', code: 'no_follow_ups' });

/** The assistant as it answered, for whoever may still ask it. */
async function offering(
  { assistantId, assistantVersion }: RunRecord,
  caller: Caller,
  { assistants, policy }: Deps,
): Promise<Assistant> {
  const newest = assistantId === undefined ? undefined : await assistants.get(assistantId);
  if (!newest || !(await policy.mayRun(caller, newest)).allowed) throw notFound('The run');
  const answered =
    newest.version === assistantVersion ? newest : await assistants.atVersion(newest.id, assistantVersion);
  if (answered?.setup.followUps) return answered;
  throw notOffered('This assistant suggests no further questions: its author can switch that on.');
}

async function saidIn(run: RunRecord, caller: Caller, { conversations }: Deps) {
  const { id, conversationId } = run;
  const messages = conversationId ? await conversations.messages(speakerOf(caller), conversationId) : [];
  const at = messages.findLastIndex(({ role, runId }) => role === 'assistant' && runId === id);
  const answer = messages[at];
  if (!answer) throw notOffered('There is no answer of this run in a conversation to go on from.');
  const asked = messages.slice(0, at).findLast(({ role }) => role === 'user');
  return { question: asked ? textOf(asked.content) : '', answer: textOf(answer.content) };
}
