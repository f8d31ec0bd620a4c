import type { Route } from '../routing/route.ts';

/** The addresses of the pages about runs. */
export const places = {
  all: '/runs',
  run: (id: string) => `/runs/${encodeURIComponent(id)}`,
};

export const runsRoutes: readonly Route[] = [
  { path: places.all, page: 'runs', load: () => import('./RunsPage.svelte') },
  { path: '/runs/:run', page: 'run', load: () => import('./RunPage.svelte') },
];
