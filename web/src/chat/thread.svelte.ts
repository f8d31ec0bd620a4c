import type { StoredMessage } from '../../../src/http/contract/chat.ts';
import { spentIn } from '../budgets/own-budgets.ts';
import { type Answer, ask, keptAnswer, rejoin } from './answer.svelte.ts';
import type { ChatApi } from './chat-api.ts';
import { contentOf, filesIn, picturesIn, type SentFile, textIn } from './content.ts';
import type { Status } from './frames.ts';
import { countSavedBefore } from './saved-messages.ts';

/** In the place of a conversation's id, before it has one. */
export const NEW = 'new';

export interface Asked {
  readonly role: 'user';
  readonly key: string;
  readonly text: string;
  readonly pictures: readonly string[];
  readonly files: readonly SentFile[];
}

export type Message = Asked | Answer;

/** One conversation, from its first question on. */
export interface Thread {
  /** Undefined until the service has made one of it. */
  readonly id: string | undefined;
  readonly title: string;
  readonly assistantId: number | undefined;
  /** Undefined until they have come. */
  readonly messages: readonly Message[] | undefined;
  readonly fault: unknown;
  readonly isBusy: boolean;
  load(): Promise<void>;
  ask(text: string, pictures?: readonly string[], files?: readonly SentFile[]): Promise<void>;
  /** Asks a question of this thread again, in other words if given, and forgets what came after it. */
  askAgain(asked: Asked, text?: string): Promise<void>;
  /** Ends the answer that is coming. */
  stop(): void;
  /** Nobody looks any more: what is coming goes on, and can be found here again. */
  leave(): void;
  rename(title: string): Promise<void>;
  /** A question that nobody answers for now, because a budget is spent: it goes back to where it was written, once. */
  takeReturned(): Asked | undefined;
}

interface ThreadFacts {
  readonly chat: ChatApi;
  /** Undefined for a new one, which is with this assistant. */
  readonly id: string | undefined;
  readonly assistantId?: number | undefined;
  readonly begun: (id: string) => void;
  readonly heard: (status: Status) => void;
  readonly ended: (answer: Answer) => void;
}

/** How long to wait for an answer that was stopped to be kept. */
const KEPT = { tries: 15, everyMs: 150 };

export function createThread({ chat, begun, heard, ended, ...facts }: ThreadFacts): Thread {
  let id = $state(facts.id);
  let title = $state('');
  let assistantId = $state(facts.assistantId);
  let messages = $state.raw<readonly Message[] | undefined>(facts.id === undefined ? [] : undefined);
  let fault = $state.raw<unknown>();
  let isBusy = $state(false);
  let returned = $state.raw<Asked>();
  /** Whoever stops a question that is not out yet has taken it back. */
  let isTakenBack = false;
  let isLeft = false;
  let keys = 0;

  const all = () => messages ?? [];
  const nextKey = () => String((keys += 1));

  const shown = (message: StoredMessage): Message =>
    message.role === 'assistant'
      ? keptAnswer(message, nextKey())
      : {
          ...{ role: 'user', key: nextKey(), text: textIn(message.content) },
          ...{ pictures: picturesIn(message.content), files: filesIn(message.content) },
        };

  /** What was stopped is a part of what is talked about from then on: it has to be kept before the next question. */
  async function stoppedIsKept(): Promise<void> {
    const last = all().findLast((message) => message.role === 'assistant');
    if (id === undefined || last?.state !== 'stopped' || last.runId === undefined) return;
    for (let tries = 0; tries < KEPT.tries; tries += 1) {
      const { running_run_id: running } = await chat.conversation(id);
      if (running !== last.runId) return;
      await new Promise((resolve) => setTimeout(resolve, KEPT.everyMs));
    }
  }

  /** Back to what stands before a question, here and with the service. */
  async function rewindTo(old: Asked): Promise<readonly Message[]> {
    const before = all().slice(0, all().indexOf(old));
    if (id === undefined) return before;
    const { messages: found } = await chat.conversation(id);
    await chat.rewind(id, countSavedBefore(before, found));
    return before;
  }

  async function answerTo(asked: Asked): Promise<void> {
    if (assistantId === undefined || isTakenBack) return;
    const { answer, over } = ask({
      chat,
      key: nextKey(),
      question: {
        assistant: assistantId,
        content: contentOf(asked.text, asked.pictures, asked.files),
        conversation: id ?? NEW,
      },
      begun(conversation) {
        if (conversation === undefined || id !== undefined) return;
        id = conversation;
        title = asked.text || (asked.files[0]?.filename ?? '');
        begun(conversation);
      },
      changed: heard,
    });
    await shownToItsEnd(answer, over);
    if (spentIn(answer.fault)) {
      messages = all().filter((each) => each !== asked && each !== answer);
      returned = asked;
    }
    if (!isLeft) ended(answer);
  }

  async function shownToItsEnd(answer: Answer, over: Promise<void>): Promise<void> {
    messages = [...all(), answer];
    await over;
  }

  /** An answer that was begun elsewhere, or before this page was loaded. */
  async function goOnWith(runId: string, conversation: string): Promise<void> {
    const { answer, over } = rejoin({ chat, key: nextKey(), runId, conversation, changed: heard });
    await shownToItsEnd(answer, over);
    if (!isLeft) ended(answer);
  }

  /** One thing at a time, and whatever goes wrong is shown. */
  async function alone(work: () => Promise<void>): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    isTakenBack = false;
    fault = undefined;
    try {
      await work();
    } catch (thrown) {
      fault = thrown;
    } finally {
      isBusy = false;
    }
  }

  return {
    get id() {
      return id;
    },
    get title() {
      return title;
    },
    get assistantId() {
      return assistantId;
    },
    get messages() {
      return messages;
    },
    get fault() {
      return fault;
    },
    get isBusy() {
      return isBusy;
    },
    async load() {
      if (id === undefined) return;
      try {
        const found = await chat.conversation(id);
        title = found.title;
        assistantId = found.assistant_id;
        messages = found.messages.map(shown);
        fault = undefined;
        const { id: conversation, running_run_id: running } = found;
        if (running !== null && !isLeft) void alone(() => goOnWith(running, conversation));
      } catch (thrown) {
        fault = thrown;
      }
    },
    ask: (text, pictures = [], files = []) =>
      alone(async () => {
        const asked: Asked = { role: 'user', key: nextKey(), text, pictures, files };
        const before = all();
        messages = [...before, asked];
        // Where that cannot be found out, asking tells why, and the question stays.
        if (before.at(-1)?.role === 'assistant') await stoppedIsKept().catch(() => undefined);
        await answerTo(asked);
      }),
    askAgain: (old, text = old.text) =>
      alone(async () => {
        const asked: Asked = { ...old, key: nextKey(), text };
        messages = [...(await rewindTo(old)), asked];
        await answerTo(asked);
      }),
    stop() {
      isTakenBack = true;
      const last = all().at(-1);
      if (last?.role === 'assistant') last.stop();
    },
    leave() {
      isTakenBack = true;
      isLeft = true;
      const last = all().at(-1);
      if (last?.role === 'assistant') last.leave();
    },
    takeReturned() {
      const asked = returned;
      returned = undefined;
      return asked;
    },
    async rename(words) {
      if (id === undefined) return;
      title = (await chat.rename(id, words)).title;
    },
  };
}
