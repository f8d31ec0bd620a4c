import type { Page } from '../../../src/http/contract/common.ts';
import { createPagedList, type PagedList } from '../api/paged-list.svelte.ts';
import type { Router } from '../routing/route.ts';

type Texts<Name extends string> = Readonly<Record<Name, string>>;

/** A list whose search and filters are in the address of its page. */
export interface SearchedList<Row> {
  readonly list: PagedList<Row>;
  /** What is searched for, as it is typed. */
  q: string;
  /** What the rows on the page were searched by. */
  readonly found: string;
  /** Whether the rows on the page are those that a search or a filter has left. */
  readonly areFiltered: boolean;
  search(): void;
  /** Without search and filters. */
  clear(): void;
}

export interface ListPage<Row, Name extends string> extends SearchedList<Row> {
  readonly filter: Texts<Name>;
  /** Asks anew, with other filters. */
  choose(filters: Partial<Texts<Name>>): void;
}

interface Facts<Row, Name extends string> {
  readonly router: Pick<Router, 'here' | 'note'>;
  /** Each has its name in the address, and is an empty text where it is not set. */
  readonly filters?: readonly Name[];
  readonly read: (
    query: Texts<NoInfer<Name>> & { readonly q: string; readonly cursor: string | undefined },
    signal: AbortSignal,
  ) => Promise<Page<Row>>;
}

export function createListPage<Row, Name extends string = never>({
  router,
  filters = [],
  read,
}: Facts<Row, Name>): ListPage<Row, Name> {
  const textsOf = (text: (name: Name) => string) =>
    Object.fromEntries(filters.map((name) => [name, text(name)])) as Texts<Name>;
  const asked = (name: string) => router.here?.query.get(name) ?? '';
  let q = $state(asked('q'));
  let filter = $state.raw(textsOf(asked));
  let found = $state.raw({ q: '', areFiltered: false });
  const list = createPagedList(async (cursor, signal) => {
    const wanted = q.trim();
    const page = await read({ ...filter, q: wanted, cursor }, signal);
    found = { q: wanted, areFiltered: [wanted, ...Object.values(filter)].some((text) => text !== '') };
    return page;
  });

  function choose(chosen: Partial<Texts<Name>>): void {
    filter = { ...filter, ...chosen };
    router.note({ ...filter, q: q.trim() });
    void list.load();
  }

  return {
    list,
    get q() {
      return q;
    },
    set q(typed) {
      q = typed;
    },
    get filter() {
      return filter;
    },
    get found() {
      return found.q;
    },
    get areFiltered() {
      return found.areFiltered;
    },
    search() {
      choose({});
    },
    choose,
    clear() {
      q = '';
      choose(textsOf(() => ''));
    },
  };
}
