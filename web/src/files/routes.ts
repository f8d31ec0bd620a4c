import type { Route } from '../routing/route.ts';

export const filesRoutes: readonly Route[] = [
  { path: '/files', page: 'files', load: () => import('./FilesPage.svelte') },
];
