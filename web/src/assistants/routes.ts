import type { Route } from '../routing/route.ts';

/** Before the builder's, which take any other id. */
export const assistantsRoutes: readonly Route[] = [
  { path: '/assistants', page: 'assistants', load: () => import('./AssistantsPage.svelte') },
  {
    path: '/multi-tool-assistants',
    page: 'assistants',
    leadsTo: '/assistants?type=multi_tool',
    load: () => import('./AssistantsPage.svelte'),
  },
  { path: '/assistants/create', page: 'create-assistant', load: () => import('./CreatePage.svelte') },
  {
    path: '/assistants/:id/versions',
    page: 'assistant-versions',
    load: () => import('./VersionsPage.svelte'),
  },
  {
    path: '/assistants/:id/sharing',
    page: 'assistant-sharing',
    load: () => import('./sharing/SharingPage.svelte'),
  },
];
