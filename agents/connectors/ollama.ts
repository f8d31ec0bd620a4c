import { bytesFromProvider, enabledProvider, offeredModels } from '../../src/clients/provider.js';
import { defineConnector } from '../../src/core/connector.js';
import { createOllamaReader, ollamaRequest } from '../models/ollama.js';

const USUAL = ['llama3.2', 'qwen3', 'gemma3'];
const LINES = { type: 'application/x-ndjson', words: 'a stream of JSON lines' };

/** Models on a server of one's own, spoken to natively. */
export default defineConnector({
  name: 'ollama',
  title: 'Ollama',
  supportsFunctions: true,
  provider: 'ollama',
  models: (settings) => offeredModels(settings, 'ollama', { usual: USUAL }),

  async *stream(request, ctx) {
    const { baseUrl, apiKey } = enabledProvider(ctx.settings, 'ollama');
    const body = JSON.stringify(ollamaRequest(request));
    const answer = bytesFromProvider(
      {
        url: `${baseUrl}/api/chat`,
        headers: {
          'content-type': 'application/json',
          ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body,
        signal: ctx.signal,
        expects: LINES,
      },
      ctx.models,
    );
    const reader = createOllamaReader();
    for await (const bytes of answer) yield* reader.read(bytes);
    return reader.finish(body.length);
  },
});
