import { Router } from 'express';
import { z } from 'zod';
import type { DraftStarters } from '../../../../agents/run/questions/draft-starters.js';
import { BLANK_CONTENT } from '../../../core/assistants/assistant.js';
import { badRequest } from '../../../core/errors.js';
import type * as wire from '../../contract/assistants.js';
import { parseWith } from '../../middleware/json-body.js';
import type { OpenRuns } from '../../middleware/open-runs.js';
import { callerOf } from '../../middleware/request-facts.js';
import { DraftAssistant, draftContent } from '../body.js';
import { type LookupDeps, mustBeMaker } from '../lookup.js';

export interface DraftStartersDeps extends Pick<LookupDeps, 'audit'> {
  readonly draftStarters: DraftStarters;
  readonly openRuns: OpenRuns;
}

export const StartersWish = z.strictObject({ draft: DraftAssistant });

/** Has questions drafted for an assistant as it is being written. Nothing is stored. */
export function assistantStarters({ audit, draftStarters, openRuns }: DraftStartersDeps): Router {
  return Router().post('/lamb/v1/assistants/draft-starters', async (req, res) => {
    const caller = callerOf(res);
    await mustBeMaker(caller, 'preview', audit);
    const assistant = draftContent(parseWith(StartersWish, req.body).draft, BLANK_CONTENT);
    const { name, description, systemPrompt } = assistant;
    if ([name, description, systemPrompt].every((text) => text.trim() === ''))
      throw badRequest('Say first what the assistant is for: in its name, description or prompt.', 'draft');
    const { signal, over } = openRuns.begin(res);
    try {
      const answer: wire.DraftedStarters = { starters: await draftStarters({ caller, assistant, signal }) };
      res.json(answer);
    } finally {
      over();
    }
  });
}
