import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Router } from 'express';
import { z } from 'zod';
import { collect } from '../../../agents/base/streams.js';
import type { RunAssistant } from '../../../agents/run-assistant.js';
import type { Caller } from '../../core/access/caller.js';
import { newRunId } from '../../core/base/ids.js';
import type { Redactor } from '../../core/base/redactor.js';
import { sendJson } from '../middleware/error-handler.js';
import { parseWith } from '../middleware/json-body.js';
import type { OpenRuns } from '../middleware/open-runs.js';
import { callerOf, setOrganization } from '../middleware/request-facts.js';
import { completion, createFrames, type StatusMode } from './openai-wire.js';
import {
  ChatBody,
  ChatBodyWithModel,
  chatOf,
  clientToolsOf,
  ignoredIn,
  refuseUnsupported,
  resultsIn,
  samplingOf,
} from './request.js';
import { sendStream } from './sse.js';

export interface ChatDeps {
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

export const AssistantQuery = z
  .object({
    assistant: z.coerce.number().int().positive().optional(),
    assistant_id: z.coerce.number().int().positive().optional(),
  })
  .transform(({ assistant, assistant_id }) => assistant ?? assistant_id)
  .refine((id) => id !== undefined, { error: 'name the assistant, as ?assistant=N', path: ['assistant'] });

export function chatCompletions(deps: ChatDeps): Router {
  return Router()
    .post('/v1/chat/completions', async (req, res) => {
      await answerChat(req, res, { caller: callerOf(res), sent: req.body }, deps);
    })
    .post('/lamb/v1/completions', async (req, res) => {
      const runId = nameRun(res);
      const id = parseWith(AssistantQuery, req.query, 'The query');
      const body = parseWith(ChatBody, req.body);
      const ignored = ignoredIn(req.body);
      await answer(req, res, { runId, caller: callerOf(res), body, ignored, model: String(id), deps });
    });
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
function nameRun(res: ServerResponse): string {
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
  readonly deps: ChatDeps;
}

async function answer(
  req: IncomingMessage,
  res: ServerResponse,
  { runId: named, caller, body, ignored: unknown, model, deps }: Asked,
): Promise<void> {
  const { heartbeatMs, openRuns, runAssistant } = deps;
  const mode = statusMode(req.headers);
  refuseUnsupported(body);

  const { signal, end, over } = openRuns.begin(res);
  try {
    const run = await runAssistant({
      runId: named,
      model,
      version: body.assistant_version ?? undefined,
      caller,
      chat: chatOf(body.messages),
      sampling: samplingOf(body),
      client: clientToolsOf(body),
      results: resultsIn(body.messages),
      conversationId: body.conversation_id ?? undefined,
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

    if (body.stream) {
      const frames = createFrames({ runId, rounds, assistant, mode, ignored, redactor });
      const includeUsage = body.stream_options?.include_usage ?? false;
      await sendStream(res, run.events, { frames, heartbeatMs, includeUsage });
    } else {
      sendJson(
        res,
        200,
        completion({ runId, rounds, assistant, ignored, redactor }, await collect(run.events)),
      );
    }
  } finally {
    over();
  }
}
