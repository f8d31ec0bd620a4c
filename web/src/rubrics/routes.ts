import type { Route } from '../routing/route.ts';

export const rubricsRoutes: readonly Route[] = [
  { path: '/rubrics', page: 'rubrics', load: () => import('./RubricsPage.svelte') },
  { path: '/rubrics/create', page: 'rubric-create', load: () => import('./CreateRubricPage.svelte') },
  { path: '/rubrics/:rubric', page: 'rubric', load: () => import('./RubricPage.svelte') },
];
