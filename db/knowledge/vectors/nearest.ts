import type { Knex } from 'knex';
import type { VectorCandidate } from '../../../src/core/knowledge/passage.js';
import type { PassageIndex } from '../../../src/core/knowledge/stores.js';
import { liveEditions, type VectorCache } from './cache.js';
import { dotProduct, floatsOf } from './pages.js';
import { nominate } from './scan.js';
import { fromPgvectorText, hasPgvectorColumn, pgvectorText } from './write.js';

type Question = Parameters<PassageIndex['nearest']>[0];

/** How many outlines are followed up for every passage that is wanted, and at least. */
const NOMINATED_FOR_EACH = 5;
const NOMINATED_AT_LEAST = 200;

/** Looks through outlines in memory, and then at the vectors of the most promising, which it judges by. */
export function createNearestSearch(reader: Knex, cache: VectorCache): PassageIndex['nearest'] {
  const hasPgvector = hasPgvectorColumn(reader);
  return async (question) => {
    const { collectionIds, vector, limit } = question;
    if (collectionIds.length === 0 || limit < 1) return [];
    if (await hasPgvector()) return nearestByServer(reader, question);
    const most = Math.max(NOMINATED_AT_LEAST, limit * NOMINATED_FOR_EACH);
    const nominated = await nominate(cache.pages(await cache.list(question)), vector, most);
    const ids = nominated.map(({ passageId }) => passageId);
    return (await measured(reader, question, ids)).sort(byCosine).slice(0, limit);
  };
}

const byCosine = (a: VectorCandidate, b: VectorCandidate) => b.cosine - a.cosine || a.passageId - b.passageId;

const PINNED =
  'EXISTS (SELECT 1 FROM pinned_passages AS pins WHERE pins.passage_id = ??.passage_id) AS pinned';

interface VectorRow {
  readonly passage_id: number;
  readonly pinned: boolean | number;
  readonly vector: Uint8Array;
}

/** By the vectors themselves, of passages that are live at this moment. */
async function measured(
  reader: Knex,
  question: Question,
  ids: readonly number[],
): Promise<VectorCandidate[]> {
  const { model, vector } = question;
  const nominated = reader('passage_vectors')
    .whereIn('passage_id', ids)
    .where({ model })
    .select('passage_id', 'edition', 'vector');
  // First of all, whatever a database makes of its statistics: else it may begin with all vectors of all editions.
  const rows = await reader
    .withMaterialized('nominated', nominated)
    .from('nominated')
    .whereIn('edition', liveEditions(reader, question))
    .select<VectorRow[]>('passage_id', 'vector', reader.raw(PINNED, ['nominated']));
  return rows
    .map((row) => ({ row, floats: floatsOf(row.vector) }))
    .filter(({ floats }) => floats.length === vector.length)
    .map(({ row, floats }) => ({
      passageId: row.passage_id,
      cosine: dotProduct(floats, vector),
      isPinned: Boolean(row.pinned),
    }));
}

/** All of them, measured by pgvector where they lie. */
async function nearestByServer(reader: Knex, question: Question): Promise<VectorCandidate[]> {
  const { model, vector, limit } = question;
  const rows = await reader('passage_vectors')
    .where({ model })
    .whereIn('edition', liveEditions(reader, question))
    .whereRaw('vector_dims(vector) = ?', [vector.length])
    .select<{ readonly passage_id: number; readonly distance: number; readonly pinned: boolean }[]>(
      'passage_id',
      reader.raw(PINNED, ['passage_vectors']),
      reader.raw('vector <=> ?::vector AS distance', [pgvectorText(vector)]),
    )
    .orderBy([{ column: 'distance' }, { column: 'passage_id' }])
    .limit(limit);
  return rows.map(({ passage_id, distance, pinned }) => ({
    passageId: passage_id,
    cosine: 1 - distance,
    isPinned: pinned,
  }));
}

const PAGES_LOOKED_AT = 32;
const VECTORS_OF_EACH = 8;
/** So many unlike passages are imagined beside those that are there: two that happen to be alike say little. */
const IMAGINED = 8;
/** Where everything is like everything, likeness still has to mean something. */
const MOST = 0.95;
const REMEMBERED = 500;

/** Measured between all pairs of a sample, and kept for as long as no page has come or gone. */
export function createBaseline(reader: Knex, cache: VectorCache): PassageIndex['baseline'] {
  const known = new Map<string, { readonly state: string; readonly baseline: number }>();
  return async (scope) => {
    const pages = await cache.list(scope);
    const key = JSON.stringify([scope.model, ...[...scope.collectionIds].sort()]);
    const state = `${String(pages.length)} ${String(pages.at(-1))}`;
    const before = known.get(key);
    if (before?.state === state) return before.baseline;

    const baseline = likenessOf(await sample(reader, cache, { pages, model: scope.model }));
    known.delete(key);
    known.set(key, { state, baseline });
    for (const oldest of known.keys()) if (known.size > REMEMBERED) known.delete(oldest);
    return baseline;
  };
}

async function sample(
  reader: Knex,
  cache: VectorCache,
  { pages, model }: { readonly pages: readonly number[]; readonly model: string },
): Promise<readonly Float32Array[]> {
  const ids: number[] = [];
  for await (const page of cache.pages(spread(pages, PAGES_LOOKED_AT)))
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
function likenessOf(vectors: readonly Float32Array[]): number {
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
