import { Router } from 'express';
import { z } from 'zod';
import type { PreviewRun } from '../../../agents/preview-run.js';
import { deedOf } from '../../core/audit.js';
import { newRunId } from '../../core/ids.js';
import { createAssistantLookup, type LookupDeps } from '../assistant-lookup.js';
import { idIn } from '../assistant-address.js';
import { ChatBody, chatOf } from '../chat-request.js';
import { parseWith } from '../json-body.js';
import type { OpenRuns } from '../open-runs.js';
import { callerOf } from '../request-facts.js';

const PreviewBody = z.strictObject({ messages: ChatBody.shape.messages });

export interface PreviewRoutesDeps extends LookupDeps {
  readonly previewRun: PreviewRun;
  readonly openRuns: OpenRuns;
}

/** The exact prompt, for those who may read how the assistant is made. That they looked is kept. */
export function assistantPreview(deps: PreviewRoutesDeps): Router {
  const find = createAssistantLookup(deps);

  return Router().post('/lamb/v1/assistants/:id/preview', async (req, res) => {
    const caller = callerOf(res);
    const assistant = await find.toEdit(idIn(req.params), caller, 'preview');
    const { messages } = parseWith(PreviewBody, req.body);
    const runId = newRunId();
    const resource = `assistant ${String(assistant.id)}`;
    await deps.audit.record(deedOf(caller, { action: 'preview', resource, runId }));

    const { signal, over } = deps.openRuns.begin(res);
    try {
      res.json(await deps.previewRun({ runId, assistant, caller, chat: chatOf(messages), signal }));
    } finally {
      over();
    }
  });
}
