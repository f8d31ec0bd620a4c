import { Router } from 'express';
import { collect } from '../../../agents/base/collect.js';
import type { RunAssistant } from '../../../agents/run-assistant.js';
import type { AccessPolicy } from '../../core/access/access.js';
import { newRunId } from '../../core/base/ids.js';
import type { Redactor } from '../../core/base/redactor.js';
import { AppError } from '../../core/errors.js';
import { type ChatMessage, type SentMessage, textOf } from '../../core/message.js';
import type { StoredMessage } from '../../core/runs/conversation.js';
import type { StatusEvent } from '../../core/runs/event.js';
import type { Stores } from '../../core/stores.js';
import { sendStream } from '../chat/sse.js';
import { sendJson } from '../middleware/error-handler.js';
import { parseWith } from '../middleware/json-body.js';
import type { OpenRuns } from '../middleware/open-runs.js';
import { callerOf, setOrganization } from '../middleware/request-facts.js';
import { createResponseFrames, responseOf } from './events.js';
import { createKeptResponses } from './kept.js';
import {
  clientToolsOf,
  type ReadInput,
  readInput,
  refuseUnsupported,
  ResponseBody,
  samplingOf,
  STEPS,
  unknownNames,
} from './request.js';

export interface ResponseDeps extends Pick<Stores, 'runs' | 'conversations' | 'assistants'> {
  readonly policy: AccessPolicy;
  readonly runAssistant: RunAssistant;
  readonly openRuns: OpenRuns;
  readonly redactor: Redactor;
  readonly heartbeatMs: number;
}

/** OpenAI's Responses API: the same run as a chat, told in other words. */
export function responses(deps: ResponseDeps): Router {
  const kept = createKeptResponses(deps);

  return Router()
    .post('/v1/responses', async (req, res) => {
      const caller = callerOf(res);
      const named = newRunId();
      res.setHeader('X-Run-Id', named);
      const body = parseWith(ResponseBody, req.body);
      refuseUnsupported(body);
      const { chat: sent, results } = readInput(body);
      const client = clientToolsOf(body);
      const told = await resolved(sent, (id) => kept.answerOf(id, caller));
      const isGoingOn = results.length > 0;
      if (isGoingOn) await kept.mustBeOwn(body, caller);
      const { id: conversationId, history } = isGoingOn
        ? NO_CONVERSATION
        : await kept.conversationFor(body, caller);
      const chat = [
        ...told.filter(isSystem),
        ...history.map(asChat),
        ...told.filter((one) => !isSystem(one)),
      ];

      const { signal, end, over } = deps.openRuns.begin(res);
      try {
        const run = await deps.runAssistant({
          ...{ runId: named, model: body.model, caller, chat, sampling: samplingOf(body), client, results },
          ...{ conversationId, keepsHistory: true, mayAsk: false, signal, end },
          traceparent: req.get('traceparent'),
        });
        const { runId, assistant, rounds, start } = run;
        if (runId !== named) res.setHeader('X-Run-Id', runId);
        setOrganization(res, assistant.organizationId);
        const ignored = [...unknownNames(req.body as object, body), ...run.ignored];
        if (ignored.length > 0) res.setHeader('X-Ignored-Parameters', ignored.join(', '));
        const facts = {
          ...{ id: responseId(runId, rounds), createdAt: Math.floor(Date.now() / 1000), assistant, body },
          ...{ showsSteps: body.include?.includes(STEPS) ?? false },
          redactor: deps.redactor.of(assistant.organizationId),
        };
        if (body.stream) {
          const { heartbeatMs } = deps;
          await sendStream(res, start, {
            frames: createResponseFrames(facts),
            heartbeatMs,
            includeUsage: false,
          });
        } else {
          const steps: StatusEvent[] = [];
          const answer = await collect(start, (event) => steps.push(event));
          sendJson(res, 200, responseOf(facts, answer, steps));
        }
      } catch (fault) {
        throw inTheirWords(fault);
      } finally {
        over();
      }
    })
    .get('/v1/responses/:id', async (req, res) => {
      res.json(await kept.read(req.params.id, callerOf(res)));
    })
    .delete('/v1/responses/:id', async (req, res) => {
      await kept.delete(req.params.id, callerOf(res));
      res.json({ id: req.params.id, object: 'response', deleted: true });
    });
}

/** What chats call messages is the input here. */
function inTheirWords(fault: unknown): unknown {
  if (!(fault instanceof AppError) || fault.param !== 'messages') return fault;
  const { message, status, type, code } = fault;
  return new AppError(message, { status, type, code, param: 'input', cause: fault });
}

/** A run that goes on has the one it began with. */
const NO_CONVERSATION = { id: undefined, history: [] };

const isSystem = ({ role }: SentMessage) => role === 'system';

const asChat = ({ role, content }: StoredMessage): ChatMessage =>
  role === 'user' ? { role, content } : { role, content: textOf(content) };

/** Each part of a run that goes on is a response of its own. */
const responseId = (runId: string, rounds: number) =>
  `resp_${runId.replace(/^run_/, '')}${rounds === 0 ? '' : `_${String(rounds)}`}`;

async function resolved(
  chat: ReadInput['chat'],
  answerOf: (id: string) => Promise<string | undefined>,
): Promise<readonly SentMessage[]> {
  const found: SentMessage[] = [];
  for (const message of chat) {
    if (!('reference' in message)) found.push(message);
    else {
      const content = await answerOf(message.reference);
      if (content !== undefined) found.push({ role: 'assistant', content });
    }
  }
  return found;
}
