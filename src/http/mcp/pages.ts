import type { Page, PageRequest } from '../../core/base/ids.js';

/** How many entries of a list come at once. */
const PAGE = 100;

/** The first page that has something on it: what is left out of pages must not look like the end of the list. */
export async function pageFrom<T>(
  pages: (page: PageRequest) => Promise<Page<T>>,
  { cursor, head = [] }: { readonly cursor: string | undefined; readonly head?: readonly T[] },
): Promise<{ readonly data: T[]; readonly nextCursor?: string }> {
  const data = cursor === undefined ? [...head] : [];
  const limit = Math.max(1, PAGE - data.length);
  let next = cursor;
  do {
    const page = await pages({ limit, cursor: next });
    data.push(...page.data);
    next = page.nextCursor ?? undefined;
  } while (data.length === 0 && next !== undefined);
  return { data, ...(next === undefined ? {} : { nextCursor: next }) };
}
