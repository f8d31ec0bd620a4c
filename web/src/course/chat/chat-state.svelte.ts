import type { Conversation } from '../../../../src/http/contract/chat.ts';
import { isFault } from '../../api/fault.ts';
import { createPagedList, type PagedList } from '../../api/paged-list.svelte.ts';
import type { KeptDrafts } from '../../app/kept-drafts.ts';
import type { Answer } from '../../chat/answer.svelte.ts';
import type { ChatApi } from '../../chat/chat-api.ts';
import type { Status } from '../../chat/frames.ts';
import { createThread, NEW, type Thread } from '../../chat/thread.svelte.ts';

/** Somebody's conversations in one activity: the one they are in, and those they have had. */
export interface ChatState {
  readonly thread: Thread;
  readonly past: PagedList<Conversation>;
  /** The one they were in last, while they are in none. */
  readonly last: Conversation | undefined;
  start(): Promise<void>;
  open(id: string): void;
  /** Counts the conversations that were gone to: what is written in one stays while only its assistant changes. */
  readonly turn: number;
  /** Whom a new one is with. */
  choose(assistantId: number): void;
  /** A new one. */
  begin(assistantId: number | undefined): void;
  remove(conversation: Conversation): Promise<void>;
  /** Words of the present one that were not sent yet. They go with the page. */
  readonly kept: KeptDrafts<string>;
}

interface ChatStateDeps {
  readonly chat: ChatApi;
  /** Whom a new conversation is with, unless somebody else is chosen. */
  readonly firstAssistant: () => number | undefined;
  readonly heard: (status: Status) => void;
  readonly ended: (answer: Answer) => void;
  /** An answer was refused for want of a consent. */
  readonly consentMissing: () => void;
  readonly place: Place;
}

/** Which conversation a page was in when it was loaded again. */
export interface Place {
  read(): string | undefined;
  note(conversation: string | undefined): void;
}

export function createChatState({ chat, firstAssistant, heard, ended, ...facts }: ChatStateDeps): ChatState {
  const drafts = new Map<string, string>();
  let thread = $state.raw<Thread>(made(undefined, firstAssistant()));
  let turn = $state(0);
  const past = createPagedList<Conversation>((cursor, signal) => chat.conversations({ cursor }, signal));

  function made(id: string | undefined, assistantId?: number): Thread {
    return createThread({
      ...{ chat, id, assistantId, heard },
      begun: (conversation) => {
        // What was written before it had an id goes on with it, and does not wait for the next new one.
        const written = drafts.get(NEW);
        drafts.delete(NEW);
        if (written !== undefined) drafts.set(conversation, written);
        facts.place.note(conversation);
      },
      ended(answer) {
        if (isFault(answer.fault) && answer.fault.code === 'consent_needed') facts.consentMissing();
        ended(answer);
        void past.load();
      },
    });
  }

  function change(next: Thread): void {
    thread.leave();
    thread = next;
    turn += 1;
    facts.place.note(next.id);
    void next.load();
  }

  const draftPlace = () => thread.id ?? NEW;

  return {
    get thread() {
      return thread;
    },
    past,
    get turn() {
      return turn;
    },
    get last() {
      return thread.id === undefined && thread.messages?.length === 0 ? past.rows?.[0] : undefined;
    },
    async start() {
      void past.load();
      const before = facts.place.read();
      if (before === undefined) return;
      thread = made(before);
      await thread.load();
      const isDeleted = isFault(thread.fault) && thread.fault.status === 404;
      if (thread.id === before && isDeleted) change(made(undefined, firstAssistant()));
    },
    open(id) {
      if (id !== thread.id) change(made(id));
    },
    choose(assistantId) {
      if (thread.id === undefined) thread = made(undefined, assistantId);
    },
    begin(assistantId) {
      change(made(undefined, assistantId ?? firstAssistant()));
    },
    async remove({ id }) {
      await chat.remove(id);
      past.put((past.rows ?? []).filter((row) => row.id !== id));
      if (thread.id === id) change(made(undefined, firstAssistant()));
    },
    kept: {
      read() {
        const draft = drafts.get(draftPlace());
        return draft === undefined ? undefined : { at: '', from: undefined, draft };
      },
      keep: (draft) => void drafts.set(draftPlace(), draft),
      forget: () => void drafts.delete(draftPlace()),
    },
  };
}

/** In the browser's history: it comes back with a reload, is in no address, and goes with the tab. */
export const placeInHistory: Place = {
  read() {
    const state: unknown = history.state;
    const found =
      typeof state === 'object' && state !== null && 'conversation' in state && state.conversation;
    return typeof found === 'string' ? found : undefined;
  },
  note(conversation) {
    history.replaceState(conversation === undefined ? null : { conversation }, '');
  },
};
