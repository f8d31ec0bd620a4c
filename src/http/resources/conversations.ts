import { Router } from 'express';
import { z } from 'zod';
import type { AccessPolicy } from '../../core/access/access.js';
import type { Caller } from '../../core/access/caller.js';
import { seenBy } from '../../core/assistants/served.js';
import { activityOf, speakerOf } from '../../core/access/launched.js';
import type { Hiding, Redactor } from '../../core/base/redactor.js';
import { badRequest, notFound } from '../../core/errors.js';
import {
  type AnswerDetails,
  type ListedConversation,
  MOST_FOLDERS,
  type Speaker,
} from '../../core/runs/conversation.js';
import type { AssistantStore, Conversation, StoredMessage, Stores } from '../../core/stores.js';
import { createAssistantLookup, type LookupDeps } from '../assistants/lookup.js';
import type * as wire from '../contract/chat.js';
import { parseWith } from '../middleware/json-body.js';
import { pageOf, PageQuery } from '../middleware/query.js';
import { callerOf } from '../middleware/request-facts.js';

const Title = z.string().trim().max(200);
export const NewConversation = z.strictObject({
  assistant_id: z.number().int().positive(),
  title: Title.default(''),
});
const Flag = z.enum(['true', 'false']);
const Folder = z.string().trim().max(60);
export const ConversationPatch = z
  .strictObject({
    title: Title.min(1, 'must not be empty').optional(),
    pinned: z.boolean().optional(),
    folder: Folder.min(1, 'must not be empty')
      .nullable()
      .optional()
      .describe('Null takes it out of its folder.'),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'must change something: give a title, pinned or folder',
  });
export const Rewinding = z.strictObject({ keep: z.number().int().min(0).max(2_147_483_647) });
export const ListQuery = PageQuery.extend({
  q: z.string().min(1).max(200).optional(),
  assistant_id: z.coerce.number().int().positive().max(2_147_483_647).optional(),
  pinned: Flag.optional(),
  folder: Folder.min(1).optional(),
  filed: Flag.optional().describe('Whether it is in a folder, whichever.'),
});

type Deps = LookupDeps &
  Pick<Stores, 'activities' | 'conversations' | 'feedback' | 'runFrames'> & { readonly redactor: Redactor };

/** One's own conversations; anybody else's are not there. */
export function conversationRoutes({ conversations, feedback, runFrames, redactor, ...deps }: Deps): Router {
  const find = createAssistantLookup(deps);
  const whole = async (caller: Caller, id: string): Promise<wire.WholeConversation> => {
    const conversation = await conversations.get(speakerOf(caller), id);
    if (!conversation) throw notFound('The conversation');
    // Asked first: a run that ends between the two has its answer among the messages.
    const running = await runFrames.underWayIn(conversation.id);
    const messages = await conversations.messages(speakerOf(caller), conversation.id);
    const isKept = messages.some(({ role, runId }) => role === 'assistant' && runId === running);
    const names = await assistantNames([conversation], caller, deps);
    const answers = messages.flatMap(({ role, runId }) => (role === 'assistant' && runId ? [runId] : []));
    const given = await feedback.of(caller.userId, answers);
    return {
      ...showConversation(conversation, names),
      messages: messages.map((message) => {
        const rating = message.role === 'assistant' ? given.get(message.runId ?? '')?.rating : undefined;
        const shown = showMessage(message, redactor.of(caller.organizationId));
        return rating ? { ...shown, rating } : shown;
      }),
      running_run_id: isKept ? null : (running ?? null),
    };
  };

  const mustFit = async (folder: string, whose: Speaker): Promise<void> => {
    const names = (await conversations.folders(whose)).map(({ name }) => name);
    if (names.length < MOST_FOLDERS || names.includes(folder)) return;
    const most = String(MOST_FOLDERS);
    throw badRequest(`You have ${most} folders, and more are not kept. Use one of them.`, 'folder');
  };

  return Router()
    .get('/lamb/v1/conversations', async (req, res) => {
      const caller = callerOf(res);
      const { q, assistant_id, pinned, folder, filed, ...page } = parseWith(
        ListQuery,
        req.query,
        'The query',
      );
      const filter = {
        ...{ q, assistantId: assistant_id, folder, isPinned: isTrue(pinned), isFiled: isTrue(filed) },
      };
      const found = await conversations.list(speakerOf(caller), filter, page);
      const names = await assistantNames(found.data, caller, deps);
      res.json(pageOf(found, (each) => showListed(each, names)));
    })
    .post('/lamb/v1/conversations', async (req, res) => {
      const caller = callerOf(res);
      const { assistant_id, title } = parseWith(NewConversation, req.body);
      const { id: assistantId, name } = await find.toSee(assistant_id, caller, 'converse');
      const made = await conversations.create({
        ...{ ...speakerOf(caller), assistantId, title },
        transcriptPolicy: (await activityOf(caller, deps))?.transcriptPolicy,
      });
      res.status(201).json(showListed({ ...made, messages: 0 }, new Map([[assistantId, name]])));
    })
    .get('/lamb/v1/conversations/folders', async (_req, res) => {
      const data = await conversations.folders(speakerOf(callerOf(res)));
      res.json(pageOf({ data, nextCursor: null }, (folder): wire.ConversationFolder => folder));
    })
    .get('/lamb/v1/conversations/:id', async (req, res) => {
      res.json(await whole(callerOf(res), req.params.id));
    })
    .patch('/lamb/v1/conversations/:id', async (req, res) => {
      const caller = callerOf(res);
      const { title, pinned: isPinned, folder } = parseWith(ConversationPatch, req.body);
      if (folder) await mustFit(folder, speakerOf(caller));
      const change = { title, isPinned, folder };
      const changed = await conversations.change(speakerOf(caller), req.params.id, change);
      if (!changed) throw notFound('The conversation');
      const names = await assistantNames([changed], caller, deps);
      res.json(showListed(changed, names));
    })
    .post('/lamb/v1/conversations/:id/rewind', async (req, res) => {
      const caller = callerOf(res);
      const { keep } = parseWith(Rewinding, req.body);
      if (!(await conversations.rewind(speakerOf(caller), req.params.id, keep)))
        throw notFound('The conversation');
      res.json(await whole(caller, req.params.id));
    })
    .delete('/lamb/v1/conversations/:id', async (req, res) => {
      if (!(await conversations.delete(speakerOf(callerOf(res)), req.params.id)))
        throw notFound('The conversation');
      res.status(204).end();
    });
}

const isTrue = (flag: 'true' | 'false' | undefined) => (flag === undefined ? undefined : flag === 'true');

/** Conversations as the API shows them. */

type Names = ReadonlyMap<number, string>;

/** By id, of those assistants that the caller may still know of. */
async function assistantNames(
  conversations: readonly Conversation[],
  caller: Caller,
  { assistants, policy }: { readonly assistants: AssistantStore; readonly policy: AccessPolicy },
): Promise<Names> {
  const ids = [...new Set(conversations.map(({ assistantId }) => assistantId))];
  const found = await Promise.all(
    ids.map(async (id): Promise<readonly [number, string][]> => {
      const assistant = await assistants.get(id);
      if (!assistant || !(await policy.mayChat(caller, assistant)).allowed) return [];
      return [[id, (await seenBy(caller, assistant, { assistants, policy })).name]];
    }),
  );
  return new Map(found.flat());
}

function showConversation(
  { id, assistantId, title, isPinned, folder, createdAt, updatedAt }: Conversation,
  names: Names,
): Omit<wire.Conversation, 'messages'> {
  return {
    id,
    assistant_id: assistantId,
    assistant_name: names.get(assistantId) ?? null,
    title,
    ...{ pinned: isPinned, folder },
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

function showListed(conversation: ListedConversation, names: Names): wire.Conversation {
  return { ...showConversation(conversation, names), messages: conversation.messages };
}

export function showMessage(
  { role, content, runId, incomplete, details, createdAt }: StoredMessage,
  redactor: Hiding,
): wire.StoredMessage {
  return {
    ...{ role, content, run_id: runId, incomplete, created_at: createdAt },
    ...(details ? showDetails(details, redactor) : {}),
  };
}

/** What functions brought is for the model alone. */
function showDetails(details: AnswerDetails, redactor: Hiding) {
  const seen = { sources: details.sources, steps: details.steps };
  const { sources, steps } = redactor.redactIn(seen) as typeof seen;
  return { ...(sources.length > 0 ? { sources } : {}), ...(steps.length > 0 ? { steps } : {}) };
}
