import { AppError } from '../../core/errors.js';
import type { Embedder } from '../../core/knowledge/embedder.js';
import type { VectorStore } from '../../core/knowledge/stores.js';
import type { Logger } from '../../core/log.js';
import { whereItBroke } from '../../core/where-it-broke.js';
import { embedEdition } from './embed-edition.js';
import type { EmbeddingPauses } from './embedding-pauses.js';

/** Makes the vectors of an edition and names their model; undefined when the model does not answer. */
export type Embedding = (
  edition: number,
  signal: AbortSignal,
  onMade: (made: number) => void,
) => Promise<string | undefined>;

export interface EmbedIfPossible {
  /** Undefined where embeddings are off, and while their model is given a pause. */
  prepare(organizationId: number): Promise<Embedding | undefined>;
}

export interface EmbeddingDeps {
  readonly vectors: VectorStore;
  readonly embedderFor: (organizationId: number) => Promise<Embedder | undefined>;
  readonly pauses: EmbeddingPauses;
  readonly log: Logger;
}

/** A model that is down costs nobody a document: it is found by its words, and gets its vectors later. */
export function createEmbedIfPossible(deps: EmbeddingDeps): EmbedIfPossible {
  const { vectors, embedderFor, pauses, log } = deps;
  const noteFailure = (organizationId: number, fault: unknown) => {
    pauses.failed(organizationId);
    const why = fault instanceof AppError ? fault.message : whereItBroke(fault);
    log.warn({ organizationId, why }, 'passages could not be embedded');
  };
  const findEmbedder = async (organizationId: number) => {
    try {
      return await embedderFor(organizationId);
    } catch (fault) {
      noteFailure(organizationId, fault);
      return undefined;
    }
  };

  return {
    async prepare(organizationId) {
      if (pauses.isPaused(organizationId)) return undefined;
      const embedder = await findEmbedder(organizationId);
      if (!embedder) return undefined;
      return async (edition, signal, onMade) => {
        try {
          await embedEdition(edition, { vectors, embedder }, { signal, onMade });
          pauses.forget(organizationId);
          return embedder.model;
        } catch (fault) {
          if (signal.aborted) throw fault;
          noteFailure(organizationId, fault);
          return undefined;
        }
      };
    },
  };
}
