import { unusableAnswer } from '../core/errors.js';
import type { RerankEndpoint, RerankQuestion } from '../core/provider.js';
import type { ModelTransport, ProvidersModel } from '../core/runs/run-context.js';
import { bytesFromProvider, unusable } from './provider.js';

export interface RerankAnswer {
  /** Places of the documents, the best first; those that the answer leaves out are not among them. */
  readonly order: readonly number[];
  /** How well each of them fits, in the same order. */
  readonly scores: readonly number[];
  /** What the provider counted, or 0. */
  readonly tokens: number;
}

const JSON_ANSWER = { type: 'json', words: 'an order of passages' };

/** Asks a provider's endpoint for the order in which documents answer a question. */
export async function askReranker(
  { endpoint, baseUrl, apiKey, model }: ProvidersModel<RerankEndpoint>,
  question: RerankQuestion,
  { models, signal }: { readonly models: ModelTransport; readonly signal: AbortSignal },
): Promise<RerankAnswer> {
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  const body = JSON.stringify(endpoint.body(model, question));
  const call = { url: `${baseUrl}${endpoint.path}`, headers, body, signal, expects: JSON_ANSWER };
  const parts: Uint8Array[] = [];
  for await (const bytes of bytesFromProvider(call, models)) parts.push(bytes);
  return read(Buffer.concat(parts).toString(), endpoint, question.documents.length);
}

/** What an answer says may have come from anybody: each place once, and none that was not asked about. */
function read(text: string, endpoint: RerankEndpoint, documents: number): RerankAnswer {
  const answer = parsed(text, endpoint);
  const best = new Map<number, number>();
  for (const { index, score } of answer.scores) {
    const isOne = Number.isInteger(index) && index >= 0 && index < documents && Number.isFinite(score);
    if (isOne && !best.has(index)) best.set(index, score);
  }
  if (best.size === 0)
    throw unusableAnswer('The reranker named none of the passages it was asked to put in order.');
  const ranked = [...best].sort((a, b) => b[1] - a[1]);
  return {
    order: ranked.map(([index]) => index),
    scores: ranked.map(([, score]) => score),
    tokens: answer.tokens,
  };
}

function parsed(text: string, endpoint: RerankEndpoint) {
  try {
    const answer: unknown = JSON.parse(text);
    return { scores: endpoint.scores(answer), tokens: endpoint.tokens(answer) };
  } catch {
    throw unusable(JSON_ANSWER.words);
  }
}
