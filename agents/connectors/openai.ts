import {
  askProvider,
  enabledProvider,
  EVENT_STREAM,
  offeredModels,
  unreachable,
} from '../../src/clients/provider.js';
import { defineConnector } from '../../src/core/connector.js';
import { AppError } from '../../src/core/errors.js';
import { createReplyReader, openAIRequest } from '../models/openai.js';

/** Any OpenAI-compatible server, spoken to natively: this is the fast path. */
export default defineConnector({
  name: 'openai',
  title: 'OpenAI and compatible servers',
  supportsFunctions: true,
  provider: 'openai',
  models: (settings) => offeredModels(settings, 'openai', { usual: [] }),

  async *stream(request, ctx) {
    const { baseUrl, apiKey } = enabledProvider(ctx.settings, 'openai');
    const body = JSON.stringify(openAIRequest(request));
    const answer = await askProvider(
      {
        url: `${baseUrl}/chat/completions`,
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body,
        signal: ctx.signal,
        expects: EVENT_STREAM,
      },
      ctx.models,
    );
    const reader = createReplyReader();
    let begun = false;
    try {
      for await (const bytes of answer) {
        begun = true;
        const text = reader.read(bytes);
        if (text !== '') yield text;
      }
    } catch (fault) {
      if (ctx.signal.aborted || fault instanceof AppError) throw fault;
      throw unreachable(fault, !begun);
    }
    return reader.finish(body.length);
  },
});
