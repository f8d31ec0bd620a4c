import { EMBEDDINGS, MODEL_LIST, streamChatCompletions } from '../../../agents/models/openai-compatible.js';
import { offeredModels } from '../../../src/clients/provider.js';
import { defineConnector } from '../../../src/core/connector.js';

/** A provider that nobody but its connector knows of. */
export default defineConnector({
  name: 'acorn',
  title: 'Acorn',
  supportsFunctions: true,
  provider: {
    name: 'acorn',
    title: 'Acorn',
    baseUrl: 'https://api.acorn.example/v1',
    env: { apiKey: 'ACORN_API_KEY', baseUrl: 'ACORN_BASE_URL' },
    usualModel: 'oak-small',
    fields: ['api_key', 'base_url'],
    check: MODEL_LIST,
    embeddings: { ...EMBEDDINGS, suggestedModel: 'oak-embed' },
  },
  models: (settings) => offeredModels(settings, 'acorn', { usual: ['oak-small', 'oak-large'] }),
  stream: streamChatCompletions('acorn'),
});
