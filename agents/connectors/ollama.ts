import { z } from 'zod';
import { bytesFromProvider, enabledProvider, offeredModels } from '../../src/clients/provider.js';
import { defineConnector } from '../../src/core/connector.js';
import { createOllamaReader, ollamaRequest } from '../models/ollama.js';
import { bearer } from '../models/openai-compatible.js';

const Tags = z.object({ models: z.array(z.object({ name: z.string() })) });
const Embeddings = z.object({ embeddings: z.array(z.unknown()) });
const USUAL = ['llama3.2', 'qwen3', 'gemma3'];
const LINES = { type: 'application/x-ndjson', words: 'a stream of JSON lines' };

/** Models on a server of one's own, spoken to natively. */
export default defineConnector({
  name: 'ollama',
  title: 'Ollama',
  supportsFunctions: true,
  ignores: ['logit_bias', 'reasoning_effort', 'parallel_tool_calls', 'tool_choice'],
  provider: {
    name: 'ollama',
    title: 'Ollama',
    baseUrl: 'http://127.0.0.1:11434',
    env: { baseUrl: 'OLLAMA_BASE_URL' },
    fields: ['base_url'],
    check: {
      url: (baseUrl) => `${baseUrl}/api/tags`,
      headers: bearer,
      names: (answer) => Tags.parse(answer).models.map(({ name }) => name),
    },
    embeddings: {
      suggestedModel: 'nomic-embed-text',
      path: '/api/embed',
      // It cuts what is longer than the model takes.
      body: (model, input) => ({ model, input, truncate: true }),
      vectors: (answer) => Embeddings.parse(answer).embeddings,
    },
  },
  models: (settings) => offeredModels(settings, 'ollama', { usual: USUAL }),

  async stream(request, ctx, say) {
    const { baseUrl, apiKey } = enabledProvider(ctx.settings, 'ollama');
    const body = JSON.stringify(ollamaRequest(request));
    const reader = createOllamaReader();
    const answer = bytesFromProvider(
      {
        url: `${baseUrl}/api/chat`,
        headers: {
          'content-type': 'application/json',
          ...(apiKey === '' ? {} : bearer(apiKey)),
        },
        body,
        signal: ctx.signal,
        expects: LINES,
        isWhole: reader.isWhole,
      },
      ctx.models,
    );
    for await (const bytes of answer) {
      for (const text of reader.read(bytes)) await say(text);
    }
    return reader.finish(body.length);
  },
});
