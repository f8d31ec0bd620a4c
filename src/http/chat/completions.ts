import { Router } from 'express';
import { z } from 'zod';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';
import { answer, answerChat, type ChatDeps, nameRun } from './answer.js';
import { ChatBody, ignoredIn } from './request.js';

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
