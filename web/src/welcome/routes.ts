import type { Route } from '../routing/route.ts';

export const welcomeRoutes: readonly Route[] = [
  { path: '/welcome', page: 'welcome', load: () => import('./WelcomePage.svelte') },
];
