import type { Route } from '../routing/route.ts';

export const runsRoutes: readonly Route[] = [
  { path: '/runs', page: 'runs', load: () => import('./RunsPage.svelte') },
  { path: '/runs/:run', page: 'run', load: () => import('./RunPage.svelte') },
];
