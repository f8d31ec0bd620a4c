import type { Knex } from 'knex';
import type { VectorCandidate } from '../../../src/core/knowledge/passage.js';
import type { PassageIndex } from '../../../src/core/knowledge/stores.js';
import { liveEditions, type VectorShelf } from './cache.js';
import { nominate } from './scan.js';
import { dotProduct, floatsOf } from './vector-bytes.js';
import { hasPgvectorColumn, pgvectorText } from './vector-column.js';

type Question = Parameters<PassageIndex['nearest']>[0];

/** How many outlines are followed up for every passage that is wanted, and at least. */
const NOMINATED_FOR_EACH = 5;
const NOMINATED_AT_LEAST = 200;

/** Looks through outlines in memory, and then at the vectors of the most promising, which it judges by. */
export function createNearestSearch(reader: Knex, shelf: VectorShelf): PassageIndex['nearest'] {
  const hasPgvector = hasPgvectorColumn(reader);
  return async (question) => {
    const { collectionIds, vector, limit } = question;
    if (collectionIds.length === 0 || limit < 1) return [];
    if (await hasPgvector()) return nearestByServer(reader, question);
    const most = Math.max(NOMINATED_AT_LEAST, limit * NOMINATED_FOR_EACH);
    const nominated = await nominate(shelf.pages(await shelf.list(question)), vector, most);
    const ids = nominated.map(({ passageId }) => passageId);
    return (await measured(reader, question, ids)).sort(byCosine).slice(0, limit);
  };
}

const byCosine = (a: VectorCandidate, b: VectorCandidate) => b.cosine - a.cosine || a.passageId - b.passageId;

interface VectorRow {
  readonly passage_id: number;
  readonly vector: Uint8Array;
}

/** By the vectors themselves, of passages that are live at this moment. */
async function measured(
  reader: Knex,
  { collectionIds, model, vector }: Question,
  ids: readonly number[],
): Promise<VectorCandidate[]> {
  const nominated = reader('passage_vectors')
    .whereIn('passage_id', ids)
    .where({ model })
    .select('passage_id', 'edition', 'vector');
  // First of all, whatever a database makes of its statistics: else it may begin with all vectors of all editions.
  const rows = await reader
    .withMaterialized('nominated', nominated)
    .from('nominated')
    .whereIn('edition', liveEditions(reader, collectionIds))
    .select<VectorRow[]>('passage_id', 'vector');
  return rows
    .map((row) => ({ passageId: row.passage_id, floats: floatsOf(row.vector) }))
    .filter(({ floats }) => floats.length === vector.length)
    .map(({ passageId, floats }) => ({ passageId, cosine: dotProduct(floats, vector) }));
}

/** All of them, measured by pgvector where they lie. */
async function nearestByServer(
  reader: Knex,
  { collectionIds, model, vector, limit }: Question,
): Promise<VectorCandidate[]> {
  const rows = await reader('passage_vectors')
    .where({ model })
    .whereIn('edition', liveEditions(reader, collectionIds))
    .whereRaw('vector_dims(vector) = ?', [vector.length])
    .select<{ readonly passage_id: number; readonly distance: number }[]>(
      'passage_id',
      reader.raw('vector <=> ?::vector AS distance', [pgvectorText(vector)]),
    )
    .orderBy([{ column: 'distance' }, { column: 'passage_id' }])
    .limit(limit);
  return rows.map(({ passage_id, distance }) => ({ passageId: passage_id, cosine: 1 - distance }));
}
