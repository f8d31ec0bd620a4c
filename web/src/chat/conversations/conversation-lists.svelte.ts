import type { Conversation, ConversationFolder } from '../../../../src/http/contract/chat.ts';
import { createLoaded } from '../../api/loaded.svelte.ts';
import { createPagedList, type PagedList } from '../../api/paged-list.svelte.ts';
import type { ChatApi, ConversationChange } from '../chat-api.ts';

/** Somebody's conversations as they stand in order: pinned ones, folders, and the rest. */
export interface ConversationLists {
  readonly pinned: PagedList<Conversation>;
  /** Neither pinned nor in a folder. */
  readonly recent: PagedList<Conversation>;
  readonly folders: readonly ConversationFolder[];
  /** Read when it is first opened. */
  inFolder(name: string): PagedList<Conversation> | undefined;
  openFolder(name: string): void;
  /** What is searched for, and what was found; nothing while nobody searches. */
  q: string;
  readonly found: PagedList<Conversation> | undefined;
  search(): void;
  load(): Promise<void>;
  /** Looks again at all that is shown: something was said, or put in order. */
  refresh(): void;
  change(id: string, change: ConversationChange): Promise<void>;
  rename(id: string, title: string): Promise<void>;
  remove(id: string): Promise<void>;
}

export function createConversationLists(chat: ChatApi): ConversationLists {
  const listOf = (filter: Parameters<ChatApi['conversations']>[0]) =>
    createPagedList<Conversation>((cursor, signal) => chat.conversations({ ...filter, cursor }, signal));
  const pinned = listOf({ pinned: true });
  const recent = listOf({ pinned: false, filed: false });
  const folders = createLoaded(chat.folders);
  let opened = $state.raw<ReadonlyMap<string, PagedList<Conversation>>>(new Map());
  let q = $state('');
  let isSearching = $state(false);
  const found = createPagedList<Conversation>((cursor, signal) =>
    chat.conversations({ q: q.trim(), cursor }, signal),
  );

  function refresh(): void {
    const shown = [pinned, recent, ...opened.values(), ...(isSearching ? [found] : [])];
    for (const list of shown) void list.refresh();
    void folders.load();
  }

  return {
    pinned,
    recent,
    get folders() {
      return folders.value ?? [];
    },
    inFolder: (name) => opened.get(name),
    openFolder(name) {
      if (opened.has(name)) return;
      const list = listOf({ folder: name });
      opened = new Map([...opened, [name, list]]);
      void list.load();
    },
    get q() {
      return q;
    },
    set q(typed) {
      q = typed;
    },
    get found() {
      return isSearching ? found : undefined;
    },
    search() {
      isSearching = q.trim() !== '';
      if (isSearching) void found.load();
    },
    async load() {
      await Promise.all([pinned.load(), recent.load(), folders.load()]);
    },
    refresh,
    async change(id, change) {
      await chat.change(id, change);
      refresh();
    },
    async rename(id, title) {
      await chat.rename(id, title);
    },
    async remove(id) {
      await chat.remove(id);
    },
  };
}
