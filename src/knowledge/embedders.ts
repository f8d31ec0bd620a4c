import type { Embedder } from '../core/knowledge/embedder.js';
import type { Settings } from '../core/runs/run-context.js';
import { createRemoteEmbedder, type RemoteDeps } from './embeddings/remote-embedder.js';

export interface EmbedderDeps extends RemoteDeps {
  /** The model that runs in this process. */
  readonly local: Embedder;
}

/** Whoever makes the vectors of an organisation; undefined where its passages are found by words alone. */
export function createEmbedders({
  local,
  ...deps
}: EmbedderDeps): (settings: Pick<Settings, 'embeddings'>) => Embedder | undefined {
  return ({ embeddings }) => {
    if (!embeddings) return undefined;
    return embeddings.provider === 'local' ? local : createRemoteEmbedder(embeddings, deps);
  };
}
