import type { Knex } from 'knex';
import type { VectorIndexing } from '../../../src/core/knowledge/stores.js';
import { isPostgres } from '../../query/raw-rows.js';
import { type Session, whileLocked } from '../../query/session.js';
import { fillEdition, type HalfvecIndex } from './halfvec-filling.js';
import { preparePgvector } from './pgvector.js';

/** Collections of so many passages get an index: below it, looking through outlines is as fast. docs/decisions/0140. */
const WORTH_AN_INDEX = 20_000;
/** An index goes when its collection has shrunk to this share of that, and not with the first document. */
const NO_LONGER_WORTH = 0.5;
/** What pgvector can index of a `halfvec`. */
const MOST_DIMENSIONS = 4_000;

/** Any fixed number will do, as long as nothing else in the database locks on it. */
const LOCK = 0x48414c46;

/**
 * Brings the indexes of pgvector in step with the vectors that are there, one process of all at a time. Each collection has
 * its own: what others hold changes nothing of what is found in it, nor how fast. Stopped or killed, it goes on where it was.
 */
export async function keepHalfvecIndexes(
  db: Knex,
  signal: AbortSignal,
  worthAnIndex = WORTH_AN_INDEX,
): Promise<VectorIndexing | undefined> {
  if (!isPostgres(db)) return undefined;
  const work = async (session: Session): Promise<VectorIndexing> => {
    const pgvector = await preparePgvector(session);
    let built = 0;
    if (pgvector !== 'used') return { pgvector, built };
    await dropUnneeded(session, Math.ceil(worthAnIndex * NO_LONGER_WORTH));
    for (const index of await wantedIndexes(session, worthAnIndex)) {
      if (signal.aborted) break;
      if (await bringInStep(session, index, signal)) built += 1;
    }
    return { pgvector, built };
  };
  return whileLocked(db, { lock: LOCK, signal, work });
}

/** How many passages of a collection have vectors of a model, by what is known of its documents. */
const SIZES = `SELECT collection_seq, embedded_with AS model, sum(passages) AS passages, max(edition) AS edition
  FROM documents WHERE edition IS NOT NULL AND embedded_with IS NOT NULL GROUP BY collection_seq, embedded_with`;

/** As long as the vectors of the newest edition. */
async function wantedIndexes(session: Session, least: number): Promise<readonly HalfvecIndex[]> {
  return session.rows<HalfvecIndex>(
    `INSERT INTO halfvec_indexes (collection_seq, model, dimensions)
     SELECT collection_seq, model, dimensions FROM (${SIZES}) AS sizes CROSS JOIN LATERAL (
       SELECT octet_length(vector) / 4 AS dimensions FROM passage_vectors
       WHERE passage_vectors.edition = sizes.edition AND passage_vectors.model = sizes.model LIMIT 1
     ) AS newest
     WHERE passages >= ? AND dimensions <= ?
     ON CONFLICT (collection_seq, model, dimensions) DO UPDATE SET ready = halfvec_indexes.ready
     RETURNING id, collection_seq AS "collectionSeq", model, dimensions, ready`,
    [least, MOST_DIMENSIONS],
  );
}

/** What no row tells of is also what a process left that was killed here. */
async function dropUnneeded(session: Session, least: number): Promise<void> {
  await session.rows(
    `DELETE FROM halfvec_indexes WHERE NOT EXISTS (
       SELECT 1 FROM (${SIZES}) AS sizes WHERE passages >= ?
         AND sizes.collection_seq = halfvec_indexes.collection_seq AND sizes.model = halfvec_indexes.model
     )`,
    [least],
  );
  const unneeded = await session.rows<{ readonly name: string }>(
    `SELECT indexname AS name FROM pg_indexes WHERE tablename = 'passage_halfvecs' AND indexname ~ '_[0-9]+$'
       AND schemaname = ANY (current_schemas(false))
       AND NOT EXISTS (SELECT 1 FROM halfvec_indexes WHERE indexname = '${nameOf('')}' || id)`,
  );
  for (const { name } of unneeded) await session.rows(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await session.rows(
    'DELETE FROM passage_halfvecs WHERE NOT EXISTS (SELECT 1 FROM halfvec_indexes WHERE id = index_id)',
  );
}

const nameOf = (id: number | '') => `passage_halfvecs_${String(id)}`;

/** True when the index was built, which nobody reads or writes any slower for. Only then does any edition count as in it. */
async function bringInStep(session: Session, index: HalfvecIndex, signal: AbortSignal): Promise<boolean> {
  const isThere = index.ready && (await stateOf(session, index)) === 'whole';
  if (!isThere) {
    await session.rows('DELETE FROM halfvec_editions WHERE index_id = ?', [index.id]);
    if (!(await fillAll(session, index, { signal, isIndexed: false }))) return false;
    await build(session, index);
  }
  await fillAll(session, index, { signal, isIndexed: true });
  return !isThere;
}

async function fillAll(
  session: Session,
  index: HalfvecIndex,
  { signal, isIndexed }: { readonly signal: AbortSignal; readonly isIndexed: boolean },
): Promise<boolean> {
  const lacking = await session.rows<{ readonly edition: number }>(
    `SELECT edition FROM documents WHERE collection_seq = ? AND embedded_with = ? AND edition IS NOT NULL
       AND NOT EXISTS (
         SELECT 1 FROM halfvec_editions WHERE halfvec_editions.edition = documents.edition AND index_id = ?
       ) ORDER BY edition`,
    [index.collectionSeq, index.model, index.id],
  );
  for (const { edition } of lacking)
    while (await fillEdition(session, { index, edition, isIndexed })) if (signal.aborted) return false;
  return true;
}

/** One that was left half-built by a killed process is there and serves nobody. */
async function build(session: Session, { id, dimensions }: HalfvecIndex): Promise<void> {
  const name = nameOf(id);
  if ((await stateOf(session, { id })) === 'half-built')
    await session.rows(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await session.rows(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON passage_halfvecs
    USING hnsw ((vector::halfvec(${String(dimensions)})) halfvec_cosine_ops) WHERE index_id = ${String(id)}`);
  await session.rows('UPDATE halfvec_indexes SET ready = true WHERE id = ?', [id]);
}

async function stateOf(
  session: Session,
  { id }: Pick<HalfvecIndex, 'id'>,
): Promise<'whole' | 'half-built' | 'absent'> {
  const [row] = await session.rows<{ readonly valid: boolean }>(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(?)',
    [nameOf(id)],
  );
  if (!row) return 'absent';
  return row.valid ? 'whole' : 'half-built';
}
