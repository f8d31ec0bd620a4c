import { Router } from 'express';
import { z } from 'zod';
import type { DraftAssistant } from '../../../agents/run/questions/draft-assistant.js';
import type { DraftRubric } from '../../../agents/run/questions/draft-rubric.js';
import { TEMPLATE_LANGUAGES } from '../../core/assistants/template.js';
import { writtenFields } from '../assistants/body.js';
import { type LookupDeps, mustBeMaker } from '../assistants/lookup.js';
import type * as wire from '../contract/gallery/templates.js';
import { parseWith } from '../middleware/json-body.js';
import type { OpenRuns } from '../middleware/open-runs.js';
import { callerOf } from '../middleware/request-facts.js';

export interface DraftRoutesDeps extends Pick<LookupDeps, 'audit'> {
  readonly draftAssistant: DraftAssistant;
  readonly draftRubric: DraftRubric;
  readonly openRuns: OpenRuns;
}

export const Wish = z.strictObject({
  description: z.string().trim().min(1, 'must say what is wanted').max(4_000),
  language: z.enum(TEMPLATE_LANGUAGES).default('en').describe('What it is written in.'),
});

/** Has an assistant or a rubric drafted by a model. Nothing is stored. */
export function draftRoutes({ audit, draftAssistant, draftRubric, openRuns }: DraftRoutesDeps): Router {
  return Router()
    .post('/lamb/v1/assistants/draft', async (req, res) => {
      const caller = callerOf(res);
      await mustBeMaker(caller, 'preview', audit);
      const wish = parseWith(Wish, req.body);
      const { signal, over } = openRuns.begin(res);
      try {
        const drafted = await draftAssistant({ caller, ...wish, signal });
        const answer: wire.DraftedAssistant = {
          assistant: { ...writtenFields(drafted), metadata: drafted.metadata },
        };
        res.json(answer);
      } finally {
        over();
      }
    })
    .post('/lamb/v1/rubrics/draft', async (req, res) => {
      const caller = callerOf(res);
      await mustBeMaker(caller, 'preview', audit);
      const wish = parseWith(Wish, req.body);
      const { signal, over } = openRuns.begin(res);
      try {
        const { title, description, data } = await draftRubric({ caller, ...wish, signal });
        const answer: wire.RubricDraft = { title, description, rubric_data: data };
        res.json(answer);
      } finally {
        over();
      }
    });
}
