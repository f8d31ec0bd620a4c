import type { Route } from '../routing/route.ts';

/** The addresses of the knowledge pages. */
export const places = {
  all: '/knowledge',
  collection: (id: string) => `/knowledge/${encodeURIComponent(id)}`,
  ask: (id: string, question?: string) =>
    `/knowledge/${encodeURIComponent(id)}/ask${question === undefined ? '' : `?${new URLSearchParams({ question }).toString()}`}`,
  sources: (id: string) => `/knowledge/${encodeURIComponent(id)}/sources`,
  questions: (id: string) => `/knowledge/${encodeURIComponent(id)}/questions`,
  vain: (id: string) => `/knowledge/${encodeURIComponent(id)}/vain`,
  settings: (id: string) => `/knowledge/${encodeURIComponent(id)}/settings`,
  document: (id: string, document: string) =>
    `/knowledge/${encodeURIComponent(id)}/documents/${encodeURIComponent(document)}`,
  passage: (id: string, document: string, n: number) =>
    `${places.document(id, document)}#passage-${String(n)}`,
};

/** Where documents of a collection are on their way to. */
export const uploadPlace = (id: string): string => `collection ${id}`;

const collection = {
  page: 'collection',
  load: () => import('./CollectionPage.svelte'),
};

export const knowledgeRoutes: readonly Route[] = [
  { path: places.all, page: 'collections', load: () => import('./CollectionsPage.svelte') },
  { path: '/knowledge/:collection', ...collection },
  { path: '/knowledge/:collection/ask', ...collection },
  { path: '/knowledge/:collection/questions', ...collection },
  { path: '/knowledge/:collection/vain', ...collection },
  { path: '/knowledge/:collection/sources', ...collection },
  { path: '/knowledge/:collection/settings', ...collection },
  {
    path: '/knowledge/:collection/documents/:document',
    page: 'document',
    load: () => import('./DocumentPage.svelte'),
  },
];
