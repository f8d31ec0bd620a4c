import { ASSISTANT_TYPES, type AssistantQuery, type AssistantType } from './assistants-api.ts';

export const SCOPES = ['all', 'mine', 'shared', 'published', 'deleted'] as const;
export type Scope = (typeof SCOPES)[number];

export interface AssistantFilter {
  readonly q: string;
  readonly type: AssistantType | '';
  readonly scope: Scope;
  /** Empty for any. */
  readonly tag: string;
}

export const NO_FILTER: AssistantFilter = { q: '', type: '', scope: 'all', tag: '' };

/** The filter that an address, perhaps written by hand, asks for. */
export function filterIn(query: URLSearchParams | undefined): AssistantFilter {
  return {
    q: query?.get('q') ?? '',
    type: ASSISTANT_TYPES.find((type) => type === query?.get('type')) ?? '',
    scope: SCOPES.find((scope) => scope === query?.get('show')) ?? 'all',
    tag: query?.get('tag') ?? '',
  };
}

export const isNarrow = ({ q, type, scope, tag }: AssistantFilter): boolean =>
  q !== '' || type !== '' || scope !== 'all' || tag !== '';

export function queryOf({ q, type, scope, tag }: AssistantFilter, me: string): AssistantQuery {
  if (scope === 'deleted') return { deleted: true };
  return {
    q: q === '' ? undefined : q,
    type: type === '' ? undefined : type,
    tag: tag === '' ? undefined : tag,
    owner: scope === 'mine' ? me : undefined,
    shared: scope === 'shared' ? true : undefined,
    published: scope === 'published' ? true : undefined,
  };
}

const MOST_TAGS = 12;

/** The tags to filter by: those that most of these have first; one that is chosen is always among them. */
export function tagsAmong(
  rows: readonly { readonly tags: readonly string[] }[],
  chosen: string,
): readonly string[] {
  const counted = new Map<string, { readonly tag: string; count: number }>();
  for (const tag of rows.flatMap(({ tags }) => tags)) {
    const known = counted.get(tag.toLowerCase());
    if (known) known.count += 1;
    else counted.set(tag.toLowerCase(), { tag, count: 1 });
  }
  const others = [...counted.entries()].filter(([key]) => key !== chosen.toLowerCase());
  const sorted = others
    .map(([, each]) => each)
    .sort((a, b) => b.count - a.count || a.tag.localeCompare(b.tag));
  return [...(chosen === '' ? [] : [chosen]), ...sorted.slice(0, MOST_TAGS).map(({ tag }) => tag)];
}
