import type { VectorIndexing } from '../../../src/core/knowledge/stores.js';
import type { Session } from '../../query/session.js';

/**
 * Whether the extension is there, made if this account may. It may come later, go, or be left behind when a database moves
 * to another server, so whoever keeps the indexes looks every time. What is of its types is thrown away and made anew.
 */
export async function preparePgvector(session: Session): Promise<VectorIndexing['pgvector']> {
  const found = await lookForPgvector(session);
  await (found === 'used' ? makeTable(session) : forgetIndexes(session));
  return found;
}

async function lookForPgvector(session: Session): Promise<VectorIndexing['pgvector']> {
  if (await hasHalfvec(session)) return 'used';
  const [offered] = await session.rows<{ readonly installed_version: string | null }>(
    "SELECT installed_version FROM pg_available_extensions WHERE name = 'vector'",
  );
  if (!offered) return 'absent';
  if (offered.installed_version !== null) return 'too old';
  // Refused where this account may not; another process may also have made it at the same moment.
  await session.rows('CREATE EXTENSION IF NOT EXISTS vector').catch(() => undefined);
  if (await hasHalfvec(session)) return 'used';
  const [made] = await session.rows("SELECT 1 FROM pg_extension WHERE extname = 'vector'");
  return made ? 'too old' : 'refused';
}

/** From version 0.7 on, where the path leads to the schema that it was made in. */
async function hasHalfvec(session: Session): Promise<boolean> {
  const [row] = await session.rows<{ readonly there: boolean }>(
    "SELECT to_regtype('halfvec') IS NOT NULL AS there",
  );
  return row?.there ?? false;
}

/**
 * Rows go with the vectors that they were made of. There is no other index than those of pgvector and the key: whatever
 * else led to the rows of an edition, the planner might take in place of the order of nearness.
 */
async function makeTable(session: Session): Promise<void> {
  if (await isWhole(session)) return;
  await forgetIndexes(session);
  await session.rows(`CREATE TABLE passage_halfvecs (
    passage_id integer NOT NULL,
    model text NOT NULL,
    index_id integer NOT NULL,
    edition integer NOT NULL,
    vector halfvec NOT NULL,
    PRIMARY KEY (passage_id, index_id),
    FOREIGN KEY (passage_id, model) REFERENCES passage_vectors (passage_id, model) ON DELETE CASCADE
  )`);
}

/** Dropping the extension takes the column with it and leaves the table. */
async function isWhole(session: Session): Promise<boolean> {
  const [column] = await session.rows(
    `SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('passage_halfvecs') AND attname = 'vector'
       AND NOT attisdropped`,
  );
  return column !== undefined;
}

async function forgetIndexes(session: Session): Promise<void> {
  await session.rows('DELETE FROM halfvec_indexes');
  await session.rows('DROP TABLE IF EXISTS passage_halfvecs');
}
