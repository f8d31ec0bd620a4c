import type { Api } from '../../api/api.ts';
import { type Answer, ask } from '../../chat/answer.svelte.ts';
import type { ChatApi } from '../../chat/chat-api.ts';
import { contentOf } from '../../chat/content.ts';
import type { Status } from '../../chat/frames.ts';
import type { Asked, Message, Thread } from '../../chat/thread.svelte.ts';
import { type Draft, isSame, sent } from '../draft.ts';

/** A chat with what is being written. It is kept in this page alone. */
export interface Trial extends Pick<Thread, 'isBusy' | 'ask' | 'askAgain' | 'stop'> {
  readonly messages: readonly Message[];
  /** The newest question, once there is one. */
  readonly last: Asked | undefined;
  /** Whether an answer is from before a change that could make it another. */
  isOutdated(answer: Answer): boolean;
  clear(): void;
}

interface TrialFacts {
  readonly api: Api;
  readonly chat: ChatApi;
  /** As it is at this moment; undefined until it is saved for the first time. */
  readonly assistantId: () => number | undefined;
  readonly draft: () => Draft;
  readonly heard: (status: Status) => void;
  readonly ended: (answer: Answer) => void;
}

export function createTrial({ api, chat, assistantId, draft, heard, ended }: TrialFacts): Trial {
  let messages = $state.raw<readonly Message[]>([]);
  let isBusy = $state(false);
  let keys = 0;
  const nextKey = () => String((keys += 1));
  const answering = new WeakMap<Answer, object>();
  const now = $derived(whatAnswers(draft()));

  /** The same as a chat, asked of the draft and with all that was said. */
  const asking = (spoken: readonly object[]): ChatApi => ({
    ...chat,
    ask: (_question, signal) => {
      const id = assistantId();
      const path = ['/lamb/v1/assistants', ...(id === undefined ? [] : [String(id)]), 'try'].join('/');
      const streamed = { stream: true, stream_options: { include_usage: true } };
      return api.open(path, { draft: sent(draft()), messages: spoken, ...streamed }, { signal });
    },
  });

  async function answerTo(asked: Asked, before: readonly Message[]): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    const question = { assistant: assistantId() ?? 0, content: contentOf(asked.text, asked.pictures) };
    const spoken = [...before, asked].flatMap(asSpoken);
    const { answer, over } = ask({ chat: asking(spoken), key: nextKey(), question, changed: heard });
    answering.set(answer, now);
    messages = [...before, asked, answer];
    await over;
    isBusy = false;
    ended(answer);
  }

  return {
    get messages() {
      return messages;
    },
    get isBusy() {
      return isBusy;
    },
    get last() {
      return messages.findLast((message) => message.role === 'user');
    },
    isOutdated: (answer) => !isSame(answering.get(answer), now),
    ask: (text, pictures = []) =>
      answerTo({ role: 'user', key: nextKey(), text, pictures, files: [] }, messages),
    askAgain: (old, text = old.text) =>
      answerTo({ ...old, key: nextKey(), text }, messages.slice(0, messages.indexOf(old))),
    stop() {
      const last = messages.at(-1);
      if (last?.role === 'assistant') last.stop();
    },
    clear() {
      if (!isBusy) messages = [];
    },
  };
}

/** What an answer depends on: a name or a face changes none. */
const whatAnswers = ({ system_prompt, prompt_template, metadata, RAG_collections, RAG_Top_k }: Draft) => ({
  ...{ system_prompt, prompt_template, metadata, RAG_collections, RAG_Top_k },
});

function asSpoken(message: Message): readonly object[] {
  if (message.role === 'user') return [{ role: 'user', content: contentOf(message.text, message.pictures) }];
  return message.text === '' ? [] : [{ role: 'assistant', content: message.text }];
}
