import type { Knex } from 'knex';
import { rowsAtOnce } from '../../query/raw-rows.js';
import { now, storable } from '../../query/values.js';
import { FINDABLE } from '../passage-rows.js';
import { openPage, type VectorPage } from './pages.js';

export interface Scope {
  readonly collectionIds: readonly string[];
  readonly model: string;
  /** Of documents with one of these; of all when there are none. */
  readonly tags?: readonly string[] | undefined;
}

/** Pages read from the database at once. */
const BATCH = 64;

export type VectorCache = ReturnType<typeof createVectorCache>;

/**
 * The pages of vectors, of which the latest used stay in memory. A page is never changed and its number never given to
 * another, so nothing here can be out of date: which of them count is asked of the database every time.
 */
export function createVectorCache(reader: Knex, { mostBytes }: { readonly mostBytes: number }) {
  const kept = new Map<number, VectorPage>();
  let bytes = 0;

  const keep = (id: number, page: VectorPage) => {
    kept.set(id, page);
    bytes += page.bytes;
    for (const [oldest, { bytes: freed }] of kept) {
      if (bytes <= mostBytes) return;
      kept.delete(oldest);
      bytes -= freed;
    }
  };

  const take = (id: number): VectorPage | undefined => {
    const page = kept.get(id);
    if (!page) return undefined;
    // To the end of the queue of those to be dropped.
    kept.delete(id);
    kept.set(id, page);
    return page;
  };

  async function* fetchPages(ids: readonly number[]): AsyncGenerator<VectorPage, void> {
    for (let start = 0; start < ids.length; start += BATCH) {
      const rows = await reader('vector_pages')
        .whereIn('id', ids.slice(start, start + BATCH))
        .select<{ readonly id: number; readonly packed: Uint8Array }[]>('id', 'packed');
      for (const { id, packed } of rows) {
        const page = openPage(packed);
        if (!kept.has(id)) keep(id, page);
        yield page;
      }
    }
  }

  return {
    /** Those of live editions, oldest first; without the editions that are in one of these indexes. */
    list: (scope: Scope, except: readonly number[] = []) => livePages(reader, scope, except),
    async *pages(ids: readonly number[]): AsyncGenerator<VectorPage, void> {
      const absent: number[] = [];
      for (const id of ids) {
        const page = take(id);
        if (page) yield page;
        else absent.push(id);
      }
      yield* fetchPages(absent);
    },
  };
}

async function livePages(reader: Knex, scope: Scope, except: readonly number[]): Promise<readonly number[]> {
  const editions = liveEditions(reader, scope);
  if (except.length > 0)
    editions.whereNotExists(
      reader('halfvec_editions')
        .whereIn('index_id', except)
        .whereRaw('halfvec_editions.edition = editions.id'),
    );
  const pages = reader('vector_pages')
    .whereIn('edition', editions)
    .where({ model: scope.model })
    .select('id');
  const rows = await rowsAtOnce(reader, pages, ['id']);
  return rows.map(([id]) => Number(id)).sort((a, b) => a - b);
}

/** The judge of everything that is found. */
export function liveEditions(
  reader: Knex,
  { collectionIds, tags = [] }: Pick<Scope, 'collectionIds' | 'tags'>,
): Knex.QueryBuilder {
  const collections = reader('collections').whereIn('id', collectionIds.map(storable)).select('seq');
  const editions = reader('editions')
    .whereRaw(FINDABLE, [now()])
    .whereIn('collection_seq', collections)
    .select('id');
  if (tags.length === 0) return editions;
  const tagged = reader('document_tags').whereIn('tag', tags.map(storable)).select('document_seq');
  return editions.whereIn('document_seq', tagged.whereIn('collection_seq', collections.clone()));
}
