import { type Rounds, startRounds } from '../../core/base/rounds.js';
import type { VectorIndexing, VectorStore } from '../../core/knowledge/stores.js';
import { errorLocation, type Logger } from '../../core/log.js';

/** What has come since is looked through without an index until then. */
const EVERY_MS = 300_000;

const TOLD: Readonly<Record<VectorIndexing['pgvector'], string>> = {
  used: 'pgvector indexes the vectors of large knowledge bases',
  absent:
    'PostgreSQL has no pgvector: vectors are searched without an index, which takes longer in large knowledge bases',
  refused:
    'pgvector is installed, but this account may not make the extension: have an administrator of the database run CREATE EXTENSION vector',
  'too old':
    'pgvector cannot be used: it is older than 0.7, or in a schema that search_path does not lead to',
};

/** Keeps the indexes of pgvector in step with the vectors, at once and then every five minutes. Tells what it found once. */
export function keepVectorIndexes({
  vectors,
  log,
}: {
  readonly vectors: Pick<VectorStore, 'keepIndexes'>;
  readonly log: Logger;
}): Rounds {
  let told: string | undefined;
  return startRounds({
    everyMs: EVERY_MS,
    async round(signal) {
      const done = await vectors.keepIndexes(signal);
      if (!done) return;
      if (done.pgvector !== told) log.info({ pgvector: done.pgvector }, TOLD[done.pgvector]);
      told = done.pgvector;
      if (done.built > 0) log.info({ indexes: done.built }, 'indexes of vectors were built');
    },
    failed: (fault) => {
      log.error({ fault: errorLocation(fault) }, 'keeping the indexes of vectors failed');
    },
  });
}
