import type { Knex } from 'knex';
import type { VectorCandidate } from '../../../src/core/knowledge/passage.js';
import type { PassageIndex } from '../../../src/core/knowledge/stores.js';
import { isPostgres } from '../../query/raw-rows.js';
import { liveEditions, type VectorCache } from './cache.js';
import { dotProduct, floatsOf } from './pages.js';
import { nominateByIndex, readyIndexes } from './halfvec-search.js';
import { nominate } from './scan.js';

type Question = Parameters<PassageIndex['nearest']>[0];

/** How many outlines are followed up for every passage that is wanted, and at least. */
const NOMINATED_FOR_EACH = 5;
const NOMINATED_AT_LEAST = 200;
/** An index of pgvector knows the vectors themselves, halved: it is right about all but neighbours. */
const INDEXED_FOR_EACH = 2;
const INDEXED_AT_LEAST = 40;

/**
 * Looks through outlines in memory, or asks pgvector where it has an index, and then at the vectors of the most promising,
 * which it judges by.
 */
export function createNearestSearch(reader: Knex, cache: VectorCache): PassageIndex['nearest'] {
  const byOutlines = async (question: Question, except: readonly number[] = []) => {
    const most = Math.max(NOMINATED_AT_LEAST, question.limit * NOMINATED_FOR_EACH);
    const pages = await cache.list(question, except);
    const nominated = await nominate(cache.pages(pages), question.vector, most);
    return nominated.map(({ passageId }) => passageId);
  };
  const judged = async (question: Question, ids: readonly number[]) =>
    (await measured(reader, question, ids)).sort(byCosine).slice(0, question.limit);

  return async (question) => {
    const { collectionIds, limit, tags = [] } = question;
    if (collectionIds.length === 0 || limit < 1) return [];
    // Documents with a tag are few, and their outlines are looked through sooner than an index leads to them.
    const indexes = isPostgres(reader) && tags.length === 0 ? await readyIndexes(reader, question) : [];
    const most = Math.max(INDEXED_AT_LEAST, limit * INDEXED_FOR_EACH);
    const indexed = await nominateByIndex(reader, indexes, { question, most });
    if (!indexed) return judged(question, await byOutlines(question));
    const found = await judged(question, [...indexed, ...(await byOutlines(question, indexes))]);
    // Where nearly everything is switched off, an index may come to its end before it has found what is not.
    return found.length < limit ? judged(question, await byOutlines(question)) : found;
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
    .select<{ readonly vector: Uint8Array }[]>('vector');
  return rows.map(({ vector }) => floatsOf(vector));
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
