import type { Route } from '../routing/route.ts';

export const chatRoutes: readonly Route[] = [
  { path: '/chat', page: 'chats', load: () => import('./ChatsPage.svelte') },
  { path: '/chat/compare', page: 'compare', load: () => import('./ComparePage.svelte') },
  { path: '/chat/:conversation', page: 'chat', isLasting: true, load: () => import('./ChatPage.svelte') },
];
