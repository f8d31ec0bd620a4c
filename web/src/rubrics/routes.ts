import type { Route } from '../routing/route.ts';

/** The addresses of the rubric pages. */
export const places = {
  all: '/rubrics',
  create: '/rubrics/create',
  createFrom: (template: string) => `/rubrics/create?template=${encodeURIComponent(template)}`,
  rubric: (id: string) => `/rubrics/${encodeURIComponent(id)}`,
};

export const rubricsRoutes: readonly Route[] = [
  { path: places.all, page: 'rubrics', load: () => import('./RubricsPage.svelte') },
  { path: places.create, page: 'rubric-create', load: () => import('./CreateRubricPage.svelte') },
  { path: '/rubrics/:rubric', page: 'rubric', load: () => import('./RubricPage.svelte') },
];
