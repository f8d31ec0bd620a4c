import type { Caller } from '../../src/core/access/caller.js';
import { speakerOf } from '../../src/core/access/launched.js';
import type { Assistant } from '../../src/core/assistants/assistant.js';
import { badRequest, notFound } from '../../src/core/errors.js';
import type { Activity } from '../../src/core/lti/activity.js';
import { type ChatMessage, filesOf, lastUserText, textOf, type UserMessage } from '../../src/core/message.js';
import type { AnswerDetails, BroughtResult } from '../../src/core/runs/conversation.js';
import type { ConversationStore, NewMessage, StoredMessage } from '../../src/core/stores.js';

/** A conversation being continued: its past, what is new, and a way to keep the answer. */
export interface OpenConversation {
  readonly id: string;
  readonly chat: readonly ChatMessage[];
  /** What functions brought for its answers, as far as that is remembered. */
  readonly brought: Brought;
  /** Before the answer, so that it is there whatever becomes of that; nothing when it has been taken back meanwhile. */
  keepQuestion(runId: string): Promise<void>;
  /** An answer to what has been taken back meanwhile is not kept. */
  keep(answer: {
    readonly text: string;
    readonly runId: string;
    readonly incomplete: boolean;
    readonly details: AnswerDetails;
  }): Promise<void>;
}

export type Brought = ReadonlyMap<ChatMessage, readonly BroughtResult[]>;

/** The id that asks for a new conversation; the response header tells the one it got. */
export const NEW = 'new';
const LONGEST_TITLE = 80;

export async function openConversation(
  id: string,
  chat: readonly ChatMessage[],
  {
    caller,
    assistant,
    conversations,
    activity,
    keepsHistory = false,
  }: {
    caller: Caller;
    assistant: Assistant;
    conversations: ConversationStore;
    activity?: Activity | undefined;
    keepsHistory?: boolean;
  },
): Promise<OpenConversation> {
  const whose = speakerOf(caller);
  const conversation =
    id === NEW
      ? await conversations.create({
          ...{ ...whose, assistantId: assistant.id, title: titleFor(chat, activity) },
          transcriptPolicy: activity?.transcriptPolicy,
        })
      : await conversations.get(whose, id);
  if (!conversation) throw notFound('The conversation');
  if (conversation.assistantId !== assistant.id) {
    throw badRequest('This conversation belongs to another assistant.', 'conversation_id');
  }

  const past = await conversations.messages(whose, conversation.id);
  const said = past.map(asChat);
  const isWhole = id === NEW && keepsHistory;
  const asked: readonly Spoken[] = isWhole ? spokenIn(chat) : newQuestions(chat, past);
  const keepAll = (news: readonly NewMessage[]) =>
    conversations.append(whose, conversation.id, news, conversation.rewinds);
  let isAsked: Promise<boolean> | undefined;
  return {
    id: conversation.id,
    async keepQuestion(runId) {
      if (asked.length === 0) return;
      const kept = keepAll(asked.map((message) => ({ ...message, runId, incomplete: false })));
      isAsked = kept.then(
        () => true,
        () => false,
      );
      await kept;
    },
    chat: [...chat.filter((message) => message.role === 'system'), ...said, ...asked],
    brought: new Map(
      said.flatMap((message, i) => {
        const results = past[i]?.details?.results;
        return results ? [[message, results] as const] : [];
      }),
    ),
    async keep({ text, runId, incomplete, details: seen }) {
      const steps = activity?.stepsVisible === false ? [] : seen.steps;
      const isAny =
        seen.cutBy !== undefined || seen.sources.length + steps.length + (seen.results?.length ?? 0) > 0;
      const details = isAny ? { ...seen, steps } : undefined;
      const answer = { role: 'assistant' as const, content: text, runId, incomplete, details };
      const isKept = isAsked !== undefined && (await isAsked);
      const news = [
        ...(isKept ? [] : asked.map((message) => ({ ...message, runId, incomplete: false }))),
        ...(text === '' ? [] : [answer]),
      ];
      if (news.length > 0 || !isKept) await keepAll(news);
    },
  };
}

type Spoken = UserMessage | { readonly role: 'assistant'; readonly content: string };

function spokenIn(chat: readonly ChatMessage[]): Spoken[] {
  return chat.flatMap((message): Spoken[] => {
    if (message.role === 'user') return [message];
    const { role, content } = message;
    return role === 'assistant' && content !== '' ? [{ role, content }] : [];
  });
}

/**
 * What is kept here is the history. Of what the client sends, only what follows the last answer is new, less what
 * was asked before and got no answer: a client that asks again must not be heard twice.
 */
function newQuestions(chat: readonly ChatMessage[], past: readonly StoredMessage[]): UserMessage[] {
  const sent = afterLastAnswer(chat).filter((message) => message.role === 'user');
  const unanswered = afterLastAnswer(past).map(({ content }) => JSON.stringify(content));
  const overlap = sent.findLastIndex((_, i) => {
    const first = sent.slice(0, i + 1).map(({ content }) => JSON.stringify(content));
    return first.join() === unanswered.slice(-first.length).join();
  });
  return sent.slice(overlap + 1);
}

function afterLastAnswer<Message extends { readonly role: string }>(
  messages: readonly Message[],
): readonly Message[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
}

function asChat({ role, content }: StoredMessage): ChatMessage {
  return role === 'user' ? { role, content } : { role, content: textOf(content) };
}

/** What was asked; where that was nothing but a file, its name, which may tell in a course who somebody is. */
function titleFor(chat: readonly ChatMessage[], activity: Activity | undefined): string {
  const newest = chat.findLast((message) => message.role === 'user');
  const [file] = newest && !activity ? filesOf(newest.content) : [];
  const line = lastUserText(chat).replace(/\s+/g, ' ').trim() || (file?.file.filename ?? '');
  return line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 1)}…`;
}
