import { resolve } from 'node:path';
import { Agent } from 'undici';
import type { Embedder } from '../../src/core/knowledge/embedder.js';
import { embeddingChoiceOf } from '../../src/core/runs/model-choice.js';
import { createLocalEmbedder } from '../../src/knowledge/embeddings/local-embedder.js';
import { createEmbedders } from '../../src/knowledge/open.js';
import { createModelTransport } from '../../src/outbound/model-transport.js';

export interface OpenEmbedder {
  readonly embedder: Embedder | undefined;
  close(): Promise<void>;
}

const nothing = () => undefined;
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** As EMBEDDINGS names it; a provider is found by the same variables as that of the service. */
export function openEmbedder(written: string, env: NodeJS.ProcessEnv): OpenEmbedder {
  const choice = embeddingChoiceOf(written);
  if (!choice) throw new Error(`"${written}" is none of none, local, openai:<model>, ollama:<model>.`);
  const agent = new Agent();
  const local = createLocalEmbedder({
    modelsFolder: resolve(env['DATA_DIR'] ?? 'data', 'models'),
    worker: new URL('../../dist/src/embedding-worker.js', import.meta.url),
    log: SILENT,
  });
  const embedderOf = createEmbedders({ models: createModelTransport(agent), log: SILENT, local });
  const baseUrls = { openai: env['OPENAI_BASE_URL'], ollama: env['OLLAMA_BASE_URL'] };
  const embeddings =
    choice.provider === 'none' || choice.provider === 'local'
      ? choice
      : { ...choice, baseUrl: baseUrls[choice.provider] ?? '', apiKey: env['OPENAI_API_KEY'] ?? '' };
  return {
    embedder: embeddings.provider === 'none' ? undefined : embedderOf({ embeddings }),
    async close() {
      await local.close();
      await agent.destroy();
    },
  };
}
