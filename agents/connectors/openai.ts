import { offeredModels } from '../../src/clients/provider.js';
import { defineConnector } from '../../src/core/connector.js';
import { EMBEDDINGS, MODEL_LIST, RERANK, streamChatCompletions } from '../models/openai-compatible.js';

/** OpenAI, and any compatible server that is given in its place. */
export default defineConnector({
  name: 'openai',
  title: 'OpenAI and compatible servers',
  supportsFunctions: true,
  provider: {
    name: 'openai',
    title: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    env: { apiKey: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL', model: 'OPENAI_MODEL' },
    usualModel: 'gpt-4o-mini',
    fields: ['api_key', 'base_url'],
    check: MODEL_LIST,
    embeddings: { ...EMBEDDINGS, suggestedModel: 'text-embedding-3-small' },
    rerank: { ...RERANK, exampleModel: 'rerank-v3.5' },
  },
  models: (settings) => offeredModels(settings, 'openai', { usual: [] }),
  stream: streamChatCompletions('openai'),
});
