import type { Route } from '../routing/route.ts';
import type { AssistantType } from './assistants-api.ts';

/** What tells where the form of an assistant is. */
export interface Located {
  readonly id: number;
  readonly assistant_type: AssistantType;
}

const query = (pairs: Readonly<Record<string, string>>) => new URLSearchParams(pairs).toString();

/** The addresses of the pages about assistants, those of other areas among them. */
export const places = {
  all: '/assistants',
  create: '/assistants/create',
  createOf: (type: AssistantType) =>
    `${type === 'classic' ? '/assistants/create' : '/multi-tool-assistants/create'}?${query({ type })}`,
  /** One that begins with a template, or with what a model has drafted. */
  createFrom: (template: string, language: string) =>
    `/assistants/create?${query({ type: 'multi_tool', template, language })}`,
  createDescribed: `/assistants/create?${query({ type: 'multi_tool', described: '' })}`,
  /** One that has this collection or this rubric from the start. */
  createWith: (given: { readonly collection: string } | { readonly rubric: string }) =>
    `/multi-tool-assistants/create?${query({ type: 'multi_tool', ...given })}`,
  edit: ({ id, assistant_type }: Located) =>
    `${assistant_type === 'classic' ? '/assistants' : '/multi-tool-assistants'}/${String(id)}`,
  versions: (id: number | string) => `/assistants/${String(id)}/versions`,
  sharing: (id: number | string) => `/assistants/${String(id)}/sharing`,
  give: (id: number | string) => `/assistants/${String(id)}/give`,
  tests: (id: number | string) => `/assistants/${String(id)}/tests`,
  insight: (id: number | string) => `/assistants/${String(id)}/insight`,
  runs: (id: number) => `/runs?${query({ assistant_id: String(id) })}`,
  chat: (id: number) => `/chat/new?${query({ assistant: String(id) })}`,
  compare: (id: number, a: number, b: number) =>
    `/chat/compare?${query({ a: `${String(id)}@${String(a)}`, b: `${String(id)}@${String(b)}` })}`,
};

/** Before the builder's, which take any other id. */
export const assistantsRoutes: readonly Route[] = [
  { path: places.all, page: 'assistants', load: () => import('./AssistantsPage.svelte') },
  {
    path: '/multi-tool-assistants',
    page: 'assistants',
    leadsTo: '/assistants?type=multi_tool',
    load: () => import('./AssistantsPage.svelte'),
  },
  { path: places.create, page: 'create-assistant', load: () => import('./CreatePage.svelte') },
  {
    path: places.versions(':id'),
    page: 'assistant-versions',
    load: () => import('./VersionsPage.svelte'),
  },
  {
    path: places.sharing(':id'),
    page: 'assistant-sharing',
    load: () => import('./sharing/SharingPage.svelte'),
  },
  {
    path: places.give(':id'),
    page: 'assistant-give',
    load: () => import('./giving/GivePage.svelte'),
  },
  {
    path: places.insight(':id'),
    page: 'assistant-insight',
    load: () => import('./insight/InsightPage.svelte'),
  },
  {
    path: places.tests(':id'),
    page: 'assistant-tests',
    load: () => import('./tests/TestsPage.svelte'),
  },
];
