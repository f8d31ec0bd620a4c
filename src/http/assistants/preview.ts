import type { ServerResponse } from 'node:http';
import { Router } from 'express';
import { z } from 'zod';
import type { PreviewRequest, PreviewRun } from '../../../agents/run/preview.js';
import { standInFor } from '../../../agents/run/stand-in-assistant.js';
import { warningsOf } from '../../assistants/check.js';
import { deedOf } from '../../core/access/audit.js';
import type { Assistant, AssistantContent, AssistantSetup } from '../../core/assistants/assistant.js';
import { newRunId } from '../../core/base/ids.js';
import type { Plugins } from '../../core/plugins.js';
import { ChatBody, previewedChat } from '../chat/request.js';
import { parseWith } from '../middleware/json-body.js';
import type { OpenRuns } from '../middleware/open-runs.js';
import { callerOf } from '../middleware/request-facts.js';
import { DraftAssistant, draftContent } from './body.js';
import { createAssistantLookup, idIn, type LookupDeps, mustBeMaker } from './lookup.js';

const { messages } = ChatBody.shape;
export const NewPreview = z.strictObject({ messages, draft: DraftAssistant });
export const PreviewBody = NewPreview.partial({ draft: true });

export interface PreviewRoutesDeps extends LookupDeps {
  readonly previewRun: PreviewRun;
  readonly openRuns: OpenRuns;
  readonly plugins: Plugins;
  readonly readSetup: (content: AssistantContent) => AssistantSetup;
}

/** The exact prompt, for those who may read how the assistant is made. That they looked is kept. */
export function assistantPreview(deps: PreviewRoutesDeps): Router {
  const find = createAssistantLookup(deps);
  const draftOf = (body: z.output<typeof DraftAssistant>, before: Assistant) => {
    const content = draftContent(body, before);
    // What is stored and cannot be read stays so until something is put in its place.
    const isUnreadable = body.metadata === undefined && before.setup.problems.length > 0;
    return { ...content, setup: isUnreadable ? before.setup : deps.readSetup(content) };
  };
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
      await mustBeMaker(caller, 'preview', deps.audit);
      const { messages: said, draft } = parseWith(NewPreview, req.body);
      const assistant = standInFor(caller, []);
      const asked = { assistant, draft: draftOf(draft, assistant), caller, chat: previewedChat(said) };
      res.json(await look(res, asked));
    })
    .post('/lamb/v1/assistants/:id/preview', async (req, res) => {
      const caller = callerOf(res);
      const assistant = await find.toEdit(idIn(req.params), caller, 'preview');
      const { messages: said, draft } = parseWith(PreviewBody, req.body);
      const asked = {
        assistant,
        draft: draft && draftOf(draft, assistant),
        caller,
        chat: previewedChat(said),
      };
      res.json(await look(res, asked));
    });
}
