import type { Route } from '../routing/route.ts';

const builder = { load: () => import('./BuilderPage.svelte') };

export const builderRoutes: readonly Route[] = [
  { path: '/assistants/:assistant', page: 'assistant', ...builder },
  { path: '/multi-tool-assistants/create', page: 'new assistant', ...builder },
  { path: '/multi-tool-assistants/:assistant', page: 'assistant', ...builder },
];
