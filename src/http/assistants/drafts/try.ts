import type { Request, Response } from 'express';
import { Router } from 'express';
import type { Drafted } from '../../../../agents/run/find-assistant.js';
import type { RunAssistant } from '../../../../agents/run-assistant.js';
import { forbidden, unsupportedParameter } from '../../../core/errors.js';
import { answer, type ChatDeps, nameRun } from '../../chat/answer.js';
import { ChatBody, namesBeyond } from '../../chat/request.js';
import { parseWith } from '../../middleware/json-body.js';
import { callerOf } from '../../middleware/request-facts.js';
import { DraftAssistant } from '../body.js';
import { createDraftLookup, type DraftDeps } from './read-draft.js';

export const NewTrial = ChatBody.extend({ draft: DraftAssistant });
export const TrialBody = NewTrial.partial({ draft: true });

export interface TrialRoutesDeps extends DraftDeps, Omit<ChatDeps, 'runAssistant'> {
  /** Runs as any chat does; of what was looked up and not found, no notes are taken. */
  readonly tryAssistant: RunAssistant;
}

/** A chat with an assistant as it is being written. It is a run like any other; nothing else of it is kept. */
export function assistantTrial(deps: TrialRoutesDeps): Router {
  const drafts = createDraftLookup(deps);
  const chat = { ...deps, runAssistant: deps.tryAssistant };
  const ask = async (req: Request, res: Response, body: ChatBody, drafted: Drafted) => {
    const { assistant } = drafted;
    if (!assistant.enabled) throw forbidden('This assistant is switched off.');
    mustKeepNothing(req, body);
    const facts = { runId: nameRun(res), caller: callerOf(res), body, ignored: namesBeyond(KNOWN, req.body) };
    await answer(req, res, { ...facts, model: String(assistant.id), drafted, deps: chat });
  };

  return Router()
    .post('/lamb/v1/assistants/try', async (req, res) => {
      const read = await drafts.ofNew(callerOf(res), 'try');
      const { draft, ...body } = parseWith(NewTrial, req.body);
      await ask(req, res, body, read(draft));
    })
    .post('/lamb/v1/assistants/:id/try', async (req, res) => {
      const read = await drafts.ofStored(req.params, callerOf(res), 'try');
      const { draft, ...body } = parseWith(TrialBody, req.body);
      await ask(req, res, body, read(draft));
    });
}

const KNOWN = new Set(Object.keys(NewTrial.shape));

function mustKeepNothing({ headers }: Request, { conversation_id, assistant_version }: ChatBody): void {
  if (conversation_id != null || headers['x-resume'] === 'on') {
    throw unsupportedParameter(
      'A trial is kept in no conversation: send what was said before in "messages", and leave out "conversation_id" and X-Resume.',
      'conversation_id',
    );
  }
  if (assistant_version == null) return;
  throw unsupportedParameter(
    'A trial asks what is being written. To ask an earlier version, use /v1/chat/completions.',
    'assistant_version',
  );
}
