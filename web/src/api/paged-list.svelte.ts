import { isAborted } from './fault.ts';
import type { Page } from './shapes.ts';

export interface PagedList<Row> {
  /** Undefined until the first page is here. */
  readonly rows: readonly Row[] | undefined;
  readonly hasMore: boolean;
  readonly fault: unknown;
  /** From the beginning: something else is asked for, or it may have changed. */
  load(): Promise<void>;
  more(): Promise<void>;
  /** Changes what is shown without asking again. */
  put(rows: readonly Row[]): void;
}

export type ReadPage<Row> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>;

/** Rows as far as they are shown. Only the answer to the last question counts. */
export function createPagedList<Row>(read: ReadPage<Row>): PagedList<Row> {
  let rows = $state.raw<readonly Row[]>();
  let cursor = $state<string | null>(null);
  let fault = $state.raw<unknown>();
  let asking = new AbortController();
  /** The first page, on its way. */
  let beginning: Promise<void> | undefined;

  async function ask(after?: string): Promise<void> {
    asking.abort();
    const mine = new AbortController();
    asking = mine;
    try {
      const { data, next_cursor } = await read(after, mine.signal);
      if (asking !== mine) return;
      rows = after === undefined ? data : [...(rows ?? []), ...data];
      cursor = next_cursor;
      fault = undefined;
    } catch (thrown) {
      if (asking === mine && !isAborted(thrown)) fault = thrown;
    }
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
    put(changed) {
      rows = changed;
    },
  };
}
