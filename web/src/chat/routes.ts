import type { Route } from '../routing/route.ts';

/** The addresses of the chat pages. */
export const places = {
  all: '/chat',
  conversation: (id: string) => `/chat/${encodeURIComponent(id)}`,
  new: (assistant: number) => `/chat/new?assistant=${String(assistant)}`,
  compare: '/chat/compare',
  run: (id: string) => `/runs/${encodeURIComponent(id)}`,
};

export const chatRoutes: readonly Route[] = [
  { path: places.all, page: 'chats', load: () => import('./ChatsPage.svelte') },
  { path: places.compare, page: 'compare', load: () => import('./ComparePage.svelte') },
  { path: '/chat/:conversation', page: 'chat', isLasting: true, load: () => import('./ChatPage.svelte') },
];
