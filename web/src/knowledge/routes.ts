import type { Route } from '../routing/route.ts';

const collection = {
  page: 'collection',
  load: () => import('./CollectionPage.svelte'),
};

export const knowledgeRoutes: readonly Route[] = [
  { path: '/knowledge', page: 'collections', load: () => import('./CollectionsPage.svelte') },
  { path: '/knowledge/:collection', ...collection },
  { path: '/knowledge/:collection/ask', ...collection },
  { path: '/knowledge/:collection/settings', ...collection },
  {
    path: '/knowledge/:collection/documents/:document',
    page: 'document',
    load: () => import('./DocumentPage.svelte'),
  },
];
