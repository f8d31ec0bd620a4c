import { createPagedList } from '../api/paged-list.svelte.ts';
import {
  ASSISTANT_TYPES,
  type Assistant,
  type AssistantQuery,
  type AssistantsApi,
  type AssistantType,
} from './assistants-api.ts';

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

/** Newest first, as the service lists them; one that is there already gives way to its newer self. */
export function withRow(rows: readonly Assistant[], row: Assistant): readonly Assistant[] {
  return [...rows.filter(({ id }) => id !== row.id), row].sort((a, b) => b.id - a.id);
}

export type AssistantList = ReturnType<typeof createAssistantList>;

/** The assistants on the page, and what they were found by. */
export function createAssistantList({
  assistants,
  me,
  initial,
}: {
  readonly assistants: AssistantsApi;
  readonly me: string;
  readonly initial: AssistantFilter;
}) {
  let filter = $state.raw(initial);
  let shown = $state.raw(initial);
  const list = createPagedList<Assistant>(async (cursor, signal) => {
    const wanted = filter;
    const page = await assistants.list({ ...queryOf(wanted, me), cursor }, signal);
    shown = wanted;
    return page;
  });

  return {
    get filter() {
      return filter;
    },
    /** What the rows on the page were found by: the last filter that was answered. */
    get shown() {
      return shown;
    },
    get rows() {
      return list.rows;
    },
    get hasMore() {
      return list.hasMore;
    },
    get fault() {
      return list.fault;
    },
    load: list.load,
    more: list.more,
    async choose(wanted: AssistantFilter) {
      filter = wanted;
      await list.load();
    },
    add(row: Assistant) {
      if (list.rows) list.put(withRow(list.rows, row));
    },
    drop(id: number) {
      if (list.rows) list.put(list.rows.filter((row) => row.id !== id));
    },
  };
}
