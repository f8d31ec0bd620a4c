import { z } from 'zod';
import { askProvider, enabledProvider, EVENT_STREAM, unreachable } from '../../src/clients/provider.js';
import type { Connector } from '../../src/core/connector.js';
import { AppError } from '../../src/core/errors.js';
import type { EmbeddingsEndpoint, ModelList, RerankEndpoint } from '../../src/core/provider.js';
import { openAIRequest, ReplyReader } from './openai.js';

/** What OpenAI's servers and the many that speak like them have in common, for the connectors of both. */

/** Speaks natively to the chat completions of a provider that is set up under this name. */
export function streamChatCompletions(provider: string): Connector['stream'] {
  return async (request, ctx, say) => {
    const { baseUrl, apiKey } = enabledProvider(ctx.settings, provider);
    const body = openAIRequest(request, ctx.kept);
    const answer = await askProvider(
      {
        url: `${baseUrl}/chat/completions`,
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream',
          ...(apiKey === '' ? {} : bearer(apiKey)),
        },
        body,
        signal: ctx.signal,
        expects: EVENT_STREAM,
      },
      ctx.models,
    );
    const reader = new ReplyReader();
    let begun = false;
    try {
      await answer.read((bytes) => {
        begun = true;
        const text = reader.read(bytes);
        if (reader.isOver()) answer.enough();
        return text === '' ? undefined : say(text);
      });
    } catch (fault) {
      if (ctx.signal.aborted || fault instanceof AppError) throw fault;
      // A connection that breaks after the model was done takes nothing from its answer.
      if (!reader.isWhole()) throw unreachable(fault, !begun);
    }
    return reader.finish(body.length);
  };
}

export function bearer(apiKey: string) {
  return { authorization: `Bearer ${apiKey}` };
}

const Models = z.object({ data: z.array(z.object({ id: z.string() })) });

/** `GET <base URL>/models`. */
export const MODEL_LIST: ModelList = {
  url: (baseUrl) => `${baseUrl}/models`,
  headers: bearer,
  names: (answer) => Models.parse(answer).data.map(({ id }) => id),
};

const Embeddings = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: z.unknown() })),
});

const Reranking = z.object({
  results: z.array(z.object({ index: z.number().int(), relevance_score: z.number() })),
  usage: z.object({ total_tokens: z.number() }).optional(),
  meta: z.object({ billed_units: z.object({ input_tokens: z.number().optional() }).optional() }).optional(),
});

/** `POST <base URL>/rerank`, as Cohere, Jina, vLLM and LiteLLM understand it. OpenAI itself has none. */
export const RERANK: Omit<RerankEndpoint, 'exampleModel'> = {
  path: '/rerank',
  body: (model, { query, documents }) => ({ model, query, documents, top_n: documents.length }),
  scores: (answer) =>
    Reranking.parse(answer).results.map(({ index, relevance_score: score }) => ({ index, score })),
  tokens(answer) {
    const { usage, meta } = Reranking.parse(answer);
    return usage?.total_tokens ?? meta?.billed_units?.input_tokens ?? 0;
  },
};

/** `POST <base URL>/embeddings`. */
export const EMBEDDINGS: Omit<EmbeddingsEndpoint, 'suggestedModel'> = {
  path: '/embeddings',
  body: (model, input) => ({ model, input, encoding_format: 'float' }),
  vectors(answer) {
    const { data } = Embeddings.parse(answer);
    // Nearly everybody keeps the order; whoever numbers them means the numbers.
    const inOrder = data.map(({ index, embedding }, place) => ({ index: index ?? place, embedding }));
    inOrder.sort((a, b) => a.index - b.index);
    return inOrder.map(({ embedding }) => embedding);
  },
};
