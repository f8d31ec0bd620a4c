import { Router } from 'express';
import { z } from 'zod';
import { notFound } from '../../core/errors.js';
import type { Conversation, StoredMessage, Stores } from '../../core/stores.js';
import { createAssistantLookup, type LookupDeps } from '../assistant-lookup.js';
import { parseWith } from '../json-body.js';
import { PageQuery, pageOf } from '../paging.js';
import { callerOf } from '../request-facts.js';

const NewConversation = z.strictObject({
  assistant_id: z.number().int().positive(),
  title: z.string().trim().max(200).default(''),
});

type Deps = LookupDeps & Pick<Stores, 'conversations'>;

/** One's own conversations; anybody else's are not there. */
export function conversationRoutes({ conversations, ...deps }: Deps): Router {
  const find = createAssistantLookup(deps);

  return Router()
    .get('/lamb/v1/conversations', async (req, res) => {
      const page = parseWith(PageQuery, req.query, 'The query');
      res.json(pageOf(await conversations.list(callerOf(res).userId, page), show));
    })
    .post('/lamb/v1/conversations', async (req, res) => {
      const caller = callerOf(res);
      const { assistant_id, title } = parseWith(NewConversation, req.body);
      const assistant = await find.toSee(assistant_id, caller, 'converse');
      const made = await conversations.create({ userId: caller.userId, assistantId: assistant.id, title });
      res.status(201).json(show(made));
    })
    .get('/lamb/v1/conversations/:id', async (req, res) => {
      const { userId } = callerOf(res);
      const conversation = await conversations.get(userId, req.params.id);
      if (!conversation) throw notFound('The conversation');
      const messages = await conversations.messages(userId, conversation.id);
      res.json({ ...show(conversation), messages: messages.map(showMessage) });
    })
    .delete('/lamb/v1/conversations/:id', async (req, res) => {
      if (!(await conversations.delete(callerOf(res).userId, req.params.id)))
        throw notFound('The conversation');
      res.status(204).end();
    });
}

function show({ id, assistantId, title, createdAt, updatedAt }: Conversation) {
  return { id, assistant_id: assistantId, title, created_at: createdAt, updated_at: updatedAt };
}

function showMessage({ role, content, runId, incomplete, createdAt }: StoredMessage) {
  return { role, content, run_id: runId, incomplete, created_at: createdAt };
}
