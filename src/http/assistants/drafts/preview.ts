import type { ServerResponse } from 'node:http';
import { Router } from 'express';
import { z } from 'zod';
import type { PreviewRequest, PreviewRun } from '../../../../agents/run/preview.js';
import { warningsOf } from '../../../assistants/check.js';
import { deedOf } from '../../../core/access/audit.js';
import { newRunId } from '../../../core/base/ids.js';
import type { Plugins } from '../../../core/plugins.js';
import { ChatBody, previewedChat } from '../../chat/request.js';
import { parseWith } from '../../middleware/json-body.js';
import type { OpenRuns } from '../../middleware/open-runs.js';
import { callerOf } from '../../middleware/request-facts.js';
import { DraftAssistant } from '../body.js';
import { createDraftLookup, type DraftDeps } from './read-draft.js';

const { messages } = ChatBody.shape;
export const NewPreview = z.strictObject({ messages, draft: DraftAssistant });
export const PreviewBody = NewPreview.partial({ draft: true });

export interface PreviewRoutesDeps extends DraftDeps {
  readonly previewRun: PreviewRun;
  readonly openRuns: OpenRuns;
  readonly plugins: Plugins;
}

/** The exact prompt, for those who may read how the assistant is made. That they looked is kept. */
export function assistantPreview(deps: PreviewRoutesDeps): Router {
  const drafts = createDraftLookup(deps);
  const look = async (res: ServerResponse, asked: Omit<PreviewRequest, 'runId' | 'signal'>) => {
    const { signal, over } = deps.openRuns.begin(res);
    const runId = newRunId();
    try {
      const resource = asked.assistant.id > 0 ? `assistant ${String(asked.assistant.id)}` : 'assistant';
      await deps.audit.record(deedOf(asked.caller, { action: 'preview', resource, runId }));
      const seen = await deps.previewRun({ ...asked, runId, signal });
      const more = warningsOf((asked.draft ?? asked.assistant).setup, deps.plugins);
      return {
        ...seen,
        warnings: [...seen.warnings, ...more.map(({ message }) => message)],
        warning_details: [...seen.warning_details, ...more.map(({ message: _message, ...detail }) => detail)],
      };
    } finally {
      over();
    }
  };

  return Router()
    .post('/lamb/v1/assistants/preview', async (req, res) => {
      const caller = callerOf(res);
      const read = await drafts.ofNew(caller, 'preview');
      const { messages: said, draft } = parseWith(NewPreview, req.body);
      res.json(await look(res, { ...read(draft), caller, chat: previewedChat(said) }));
    })
    .post('/lamb/v1/assistants/:id/preview', async (req, res) => {
      const caller = callerOf(res);
      const read = await drafts.ofStored(req.params, caller, 'preview');
      const { messages: said, draft } = parseWith(PreviewBody, req.body);
      res.json(await look(res, { ...read(draft), caller, chat: previewedChat(said) }));
    });
}
