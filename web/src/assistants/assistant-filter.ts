import { ASSISTANT_TYPES, type AssistantQuery, type AssistantType } from './assistants-api.ts';

export const SCOPES = ['all', 'mine', 'shared', 'published', 'deleted'] as const;
export type Scope = (typeof SCOPES)[number];

export interface AssistantFilter {
  readonly q: string;
  readonly type: AssistantType | '';
  readonly scope: Scope;
}

export const NO_FILTER: AssistantFilter = { q: '', type: '', scope: 'all' };

/** The filter that an address, perhaps written by hand, asks for. */
export function filterIn(query: URLSearchParams | undefined): AssistantFilter {
  return {
    q: query?.get('q') ?? '',
    type: ASSISTANT_TYPES.find((type) => type === query?.get('type')) ?? '',
    scope: SCOPES.find((scope) => scope === query?.get('show')) ?? 'all',
  };
}

export const isNarrow = ({ q, type, scope }: AssistantFilter): boolean =>
  q !== '' || type !== '' || scope !== 'all';

export function queryOf({ q, type, scope }: AssistantFilter, me: string): AssistantQuery {
  if (scope === 'deleted') return { deleted: true };
  return {
    q: q === '' ? undefined : q,
    type: type === '' ? undefined : type,
    owner: scope === 'mine' ? me : undefined,
    shared: scope === 'shared' ? true : undefined,
    published: scope === 'published' ? true : undefined,
  };
}
