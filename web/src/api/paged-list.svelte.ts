import type { Page } from '../../../src/http/contract/common.ts';
import { isAborted } from './fault.ts';

export interface PagedList<Row> {
  /** Undefined until the first page is here. */
  readonly rows: readonly Row[] | undefined;
  readonly hasMore: boolean;
  readonly fault: unknown;
  /** From the beginning: something else is asked for, or it may have changed. */
  load(): Promise<void>;
  more(): Promise<void>;
  /** Looks again at what is shown, as far as it is: after what is being asked already, which may be of before. */
  refresh(): Promise<void>;
  /** Changes what is shown without asking again. */
  put(rows: readonly Row[]): void;
}

export type ReadPage<Row> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>;

/** Rows as far as they are shown. Only the answer to the last question counts. */
export function createPagedList<Row>(read: ReadPage<Row>): PagedList<Row> {
  let rows = $state.raw<readonly Row[]>();
  let cursor = $state<string | null>(null);
  let fault = $state.raw<unknown>();
  let asking: AbortController | undefined;
  let isRefreshing = false;
  /** What is on its way may be of before something changed. */
  let isStale = false;
  /** The first page, on its way. */
  let beginning: Promise<void> | undefined;

  async function take(
    reading: (signal: AbortSignal) => Promise<Page<Row>>,
    before: () => readonly Row[] = () => [],
  ): Promise<void> {
    asking?.abort();
    const mine = new AbortController();
    asking = mine;
    try {
      const { data, next_cursor } = await reading(mine.signal);
      if (asking !== mine) return;
      rows = [...before(), ...data];
      cursor = next_cursor;
      fault = undefined;
    } catch (thrown) {
      if (asking === mine && !isAborted(thrown)) fault = thrown;
    } finally {
      if (asking === mine) asking = undefined;
    }
    if (isStale && !asking) await refresh();
  }

  const ask = (after?: string) =>
    take(
      (signal) => read(after, signal),
      () => (after === undefined ? [] : (rows ?? [])),
    );

  async function again(signal: AbortSignal): Promise<Page<Row>> {
    const data: Row[] = [];
    let after: string | undefined;
    for (;;) {
      const page = await read(after, signal);
      data.push(...page.data);
      if (page.next_cursor === null || data.length >= (rows?.length ?? 0))
        return { data, next_cursor: page.next_cursor };
      after = page.next_cursor;
    }
  }

  async function refresh(): Promise<void> {
    isStale = asking !== undefined;
    if (isStale) return;
    isRefreshing = true;
    await take(again);
    isRefreshing = false;
  }

  return {
    get rows() {
      return rows;
    },
    get hasMore() {
      return cursor !== null;
    },
    get fault() {
      return fault;
    },
    async load() {
      isStale = false;
      const mine = ask();
      beginning = mine;
      await mine;
      if (beginning === mine) beginning = undefined;
    },
    async more() {
      // What is shown is about to be replaced: the next page of it is no longer wanted.
      if (beginning) await beginning;
      else if (cursor !== null) await ask(cursor);
    },
    refresh,
    put(changed) {
      // What is on its way was read before this.
      if (isRefreshing) asking?.abort();
      rows = changed;
    },
  };
}
