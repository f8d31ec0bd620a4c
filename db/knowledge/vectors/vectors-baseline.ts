import type { Knex } from 'knex';
import type { PassageIndex } from '../../../src/core/knowledge/stores.js';
import type { VectorShelf } from './cache.js';
import { dotProduct, floatsOf } from './vector-bytes.js';
import { fromPgvectorText } from './vector-column.js';

const PAGES_LOOKED_AT = 32;
const VECTORS_OF_EACH = 8;
/** So many unlike passages are imagined beside those that are there: two that happen to be alike say little. */
const IMAGINED = 8;
/** Where everything is like everything, likeness still has to mean something. */
const MOST = 0.95;
const REMEMBERED = 500;

/** Measured between all pairs of a sample, and kept for as long as no page has come or gone. */
export function createBaseline(reader: Knex, shelf: VectorShelf): PassageIndex['baseline'] {
  const known = new Map<string, { readonly state: string; readonly baseline: number }>();
  return async (scope) => {
    const pages = await shelf.list(scope);
    const key = JSON.stringify([scope.model, ...[...scope.collectionIds].sort()]);
    const state = `${String(pages.length)} ${String(pages.at(-1))}`;
    const before = known.get(key);
    if (before?.state === state) return before.baseline;

    const baseline = likenessOf(await sample(reader, shelf, { pages, model: scope.model }));
    known.delete(key);
    known.set(key, { state, baseline });
    for (const oldest of known.keys()) if (known.size > REMEMBERED) known.delete(oldest);
    return baseline;
  };
}

async function sample(
  reader: Knex,
  shelf: VectorShelf,
  { pages, model }: { readonly pages: readonly number[]; readonly model: string },
): Promise<readonly Float32Array[]> {
  const ids: number[] = [];
  for await (const page of shelf.pages(spread(pages, PAGES_LOOKED_AT)))
    ids.push(...spread([...page.passageIds], Math.max(VECTORS_OF_EACH, enough(pages.length))));
  const rows = await reader('passage_vectors')
    .whereIn('passage_id', ids)
    .where({ model })
    .select<{ readonly vector: Uint8Array | string }[]>('vector');
  return rows.map(({ vector }) => (typeof vector === 'string' ? fromPgvectorText(vector) : floatsOf(vector)));
}

/** More of each page where there are few pages. */
const enough = (pages: number) => Math.ceil((PAGES_LOOKED_AT * VECTORS_OF_EACH) / Math.max(1, pages));

function spread<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, i) => all[Math.floor(((i + 0.5) * all.length) / most)] as T);
}

/** The mean cosine of all pairs, from the length of the sum: with n vectors of length one it is (|sum|² − n) / n(n − 1). */
export function likenessOf(vectors: readonly Float32Array[]): number {
  const dimensions = vectors[0]?.length ?? 0;
  const alike = vectors.filter(({ length }) => length === dimensions);
  const count = alike.length;
  if (count < 2) return 0;
  const sum = new Float32Array(dimensions);
  for (const vector of alike)
    for (let i = 0; i < dimensions; i += 1) sum[i] = (sum[i] as number) + (vector[i] as number);
  const mean = (dotProduct(sum, sum) - count) / (count * (count - 1));
  return Math.min(MOST, Math.max(0, (mean * count) / (count + IMAGINED)));
}
