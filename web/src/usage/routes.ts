import type { Route } from '../routing/route.ts';

export const usageRoutes: readonly Route[] = [
  { path: '/usage', page: 'usage', load: () => import('./UsagePage.svelte') },
];
