import { Router } from 'express';
import { z } from 'zod';
import { FEWEST_STUDENTS } from '../../activities/k-anonymity.js';
import { notFound } from '../../core/errors.js';
import { type Feedback, RATINGS } from '../../core/runs/stores.js';
import type { Stores } from '../../core/stores.js';
import { createAssistantLookup, idIn, type LookupDeps } from '../assistants/lookup.js';
import type * as wire from '../contract/runs.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';

export const FeedbackBody = z.strictObject({
  rating: z.enum(RATINGS, { error: 'must be "up" or "down"' }),
  comment: z.string().trim().max(2_000).nullish(),
});

type Deps = LookupDeps & Pick<Stores, 'feedback'>;

/** What people think of the answers they got: theirs to give and to change, and for owners without a name. */
export function feedbackRoutes({ feedback, ...deps }: Deps): Router {
  const find = createAssistantLookup(deps);
  return Router()
    .post('/lamb/v1/runs/:id/feedback', async (req, res) => {
      const { rating, comment } = parseWith(FeedbackBody, req.body);
      const given = { rating, comment: comment || undefined, at: new Date().toISOString() };
      if (!(await feedback.give(req.params.id, callerOf(res).userId, given))) throw notFound('The run');
      res.json(showFeedback(given));
    })
    .get('/lamb/v1/assistants/:id/feedback', async (req, res) => {
      const { id } = await find.toEdit(idIn(req.params), callerOf(res), 'read feedback');
      const { up, down, isSuppressed, comments } = await feedback.on(id, FEWEST_STUDENTS);
      const told = comments.map(({ runId, rating, comment, at }) => ({ run_id: runId, rating, comment, at }));
      res.json({ up, down, comments: told, suppressed: isSuppressed } satisfies wire.AssistantFeedback);
    });
}

export function showFeedback({ rating, comment, at }: Feedback): wire.Feedback {
  return { rating, comment: comment ?? null, at };
}
