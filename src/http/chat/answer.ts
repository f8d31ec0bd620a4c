import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { collect } from '../../../agents/base/collect.js';
import type { RunAssistant } from '../../../agents/run-assistant.js';
import { NEW } from '../../../agents/run/conversation.js';
import type { Drafted } from '../../../agents/run/find-assistant.js';
import type { Caller } from '../../core/access/caller.js';
import { speakerOf } from '../../core/access/launched.js';
import { newRunId } from '../../core/base/ids.js';
import type { Redactor } from '../../core/base/redactor.js';
import { sendJson } from '../middleware/error-handler.js';
import { parseWith } from '../middleware/json-body.js';
import type { OpenRuns } from '../middleware/open-runs.js';
import { setOrganization } from '../middleware/request-facts.js';
import { completion, createFrames, type StatusMode } from './openai-wire.js';
import {
  type ChatBody,
  ChatBodyWithModel,
  chatOf,
  clientToolsOf,
  ignoredIn,
  refuseUnsupported,
  resultsIn,
  samplingOf,
} from './request.js';
import { collectResumable, type ResumableDeps, sendResumable } from './resumable.js';
import { sendStream } from './sse.js';

export interface ChatDeps extends ResumableDeps {
  readonly runAssistant: RunAssistant;
  readonly openRuns: OpenRuns;
  readonly redactor: Redactor;
  readonly heartbeatMs: number;
}

export const StatusHeader = z.object({
  'x-status': z.enum(['events', 'off', 'reasoning'], { error: 'must be events, off or reasoning' }),
});

function statusMode(headers: IncomingHttpHeaders): StatusMode {
  if (headers['x-status'] === undefined) return 'events';
  return parseWith(StatusHeader, headers, 'The X-Status header')['x-status'];
}

export const ResumeHeader = z.object({
  'x-resume': z.enum(['on', 'off'], { error: 'must be on or off' }),
});

function isToGoOn(headers: IncomingHttpHeaders): boolean {
  if (headers['x-resume'] === undefined) return false;
  return parseWith(ResumeHeader, headers, 'The X-Resume header')['x-resume'] === 'on';
}

/** OpenAI's own route, whichever way the request came in. */
export async function answerChat(
  req: IncomingMessage,
  res: ServerResponse,
  { caller, sent }: { readonly caller: Caller; readonly sent: unknown },
  deps: ChatDeps,
): Promise<void> {
  const runId = nameRun(res);
  const body = parseWith(ChatBodyWithModel, sent);
  await answer(req, res, { runId, caller, body, ignored: ignoredIn(sent), model: body.model, deps });
}

/** Before anything can go wrong, so that whatever does can be told under this name. */
export function nameRun(res: ServerResponse): string {
  const runId = newRunId();
  res.setHeader('X-Run-Id', runId);
  return runId;
}

interface Asked {
  readonly runId: string;
  readonly caller: Caller;
  readonly body: ChatBody;
  /** The names of what was sent and does nothing. */
  readonly ignored: readonly string[];
  readonly model: string;
  /** What answers in its place, before it is saved. */
  readonly drafted?: Drafted;
  readonly deps: ChatDeps;
}

/** The one way from a request to a run and back, whatever is asked. */
export async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  { runId: named, caller, body, ignored: unknown, model, drafted, deps }: Asked,
): Promise<void> {
  const { heartbeatMs, openRuns, runAssistant } = deps;
  const mode = statusMode(req.headers);
  const goesOnAlone = isToGoOn(req.headers);
  refuseUnsupported(body);

  const { signal, end, over } = openRuns.begin(res, goesOnAlone ? { goesOnAlone } : undefined);
  try {
    const run = await runAssistant({
      runId: named,
      model,
      version: body.assistant_version ?? undefined,
      drafted,
      caller,
      chat: chatOf(body.messages),
      sampling: samplingOf(body),
      client: clientToolsOf(body),
      results: resultsIn(body.messages),
      conversationId: body.conversation_id ?? (goesOnAlone ? NEW : undefined),
      mayAsk: body.stream === true && mode !== 'off',
      traceparent: req.headers.traceparent as string | undefined,
      signal,
      end,
    });
    const { runId, rounds, assistant, conversationId } = run;
    if (runId !== named) res.setHeader('X-Run-Id', runId);
    setOrganization(res, assistant.organizationId);
    const redactor = deps.redactor.of(assistant.organizationId);
    if (conversationId !== undefined) res.setHeader('X-Conversation-Id', conversationId);
    const ignored = [...unknown, ...run.ignored];
    if (ignored.length > 0) res.setHeader('X-Ignored-Parameters', ignored.join(', '));

    const facts = { runId, rounds, assistant, ignored, redactor };
    const streamed = () => ({
      frames: createFrames(facts, mode),
      includeUsage: body.stream_options?.include_usage ?? false,
      heartbeatMs,
    });
    if (goesOnAlone) {
      const asked = { run, whose: speakerOf(caller), end, ...streamed() };
      if (body.stream) await sendResumable(res, asked, deps);
      else sendJson(res, 200, completion(facts, await collectResumable(asked, deps)));
    } else if (body.stream) {
      await sendStream(res, run.start, streamed());
    } else {
      sendJson(res, 200, completion(facts, await collect(run.start)));
    }
  } finally {
    over();
  }
}
