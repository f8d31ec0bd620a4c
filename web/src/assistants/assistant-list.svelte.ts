import { createPagedList } from '../api/paged-list.svelte.ts';
import { queryOf, type AssistantFilter } from './assistant-filter.ts';
import type { Assistant, AssistantsApi } from './assistants-api.ts';

/** Newest first, as the service lists them; one that is there already gives way to its newer self. */
function withRow(rows: readonly Assistant[], row: Assistant): readonly Assistant[] {
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
