import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { bytesFromProvider, unusable } from '../../clients/provider.js';
import { AppError, timedOut } from '../../core/errors.js';
import { type Embedder, LONGEST_EMBEDDED } from '../../core/knowledge/embedder.js';
import type { Logger } from '../../core/log.js';
import type { EmbeddingsEndpoint } from '../../core/provider.js';
import { createDeadline } from '../../core/runs/deadline.js';
import type { ModelTransport, ProvidersModel } from '../../core/runs/run-context.js';
import { checkedVectors, Vectors } from './vectors.js';

export interface RemoteDeps {
  readonly models: ModelTransport;
  readonly log: Logger;
}

const BATCH = { mostTexts: 96, mostChars: 100_000 };
const BATCHES_AT_ONCE = 3;
const RETRIES = 2;
const FIRST_PAUSE_MS = 300;

/** How long one request may take, and how long it is worth waiting before another. Whoever asks waits for a query. */
const PATIENCE: Readonly<Record<'passage' | 'query', Patience>> = {
  passage: { timeoutMs: 60_000, longestPauseMs: 60_000 },
  query: { timeoutMs: 10_000, longestPauseMs: 2_000 },
};

interface Patience {
  readonly timeoutMs: number;
  readonly longestPauseMs: number;
}

const JSON_ANSWER = { type: 'json', words: 'vectors' };

/** A provider's endpoint for embeddings, at an address that an administrator has set. */
export function createRemoteEmbedder(settings: RemoteSettings, deps: RemoteDeps): Embedder {
  return {
    model: `${settings.provider}:${settings.model}`,
    async embed(texts, { kind, signal }) {
      const cut = texts.map((text) => beginningOf(text, LONGEST_EMBEDDED));
      const limit = pLimit(BATCHES_AT_ONCE);
      const asked = batchesOf(cut, BATCH).map((batch) =>
        limit(() => askAgain({ settings, batch, signal }, PATIENCE[kind], deps)),
      );
      try {
        return (await Promise.all(asked)).flat();
      } finally {
        // When one has failed, those that have not begun are of no use.
        limit.clearQueue();
      }
    },
  };
}

interface Question {
  readonly settings: RemoteSettings;
  readonly batch: readonly string[];
  readonly signal: AbortSignal;
}

async function ask({ settings, batch, signal }: Question, models: ModelTransport): Promise<Float32Array[]> {
  const { endpoint, baseUrl, apiKey, model } = settings;
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  const body = JSON.stringify(endpoint.body(model, batch));
  const call = { url: `${baseUrl}${endpoint.path}`, headers, body, signal, expects: JSON_ANSWER };
  const parts: Uint8Array[] = [];
  for await (const bytes of bytesFromProvider(call, models)) parts.push(bytes);
  return checkedVectors(vectorsIn(Buffer.concat(parts).toString(), endpoint), batch.length);
}

/** What a connector makes of an answer is looked at again: it may have come from anybody. */
function vectorsIn(answer: string, endpoint: EmbeddingsEndpoint): readonly (readonly number[])[] {
  try {
    return Vectors.parse(endpoint.vectors(JSON.parse(answer)));
  } catch {
    throw unusable(JSON_ANSWER.words);
  }
}

/** The one retry loop of this room. */
async function askAgain(
  question: Question,
  { timeoutMs, longestPauseMs }: Patience,
  { models, log }: RemoteDeps,
): Promise<Float32Array[]> {
  for (let retry = 0; ; retry += 1) {
    const deadline = createDeadline(question.signal, timeoutMs);
    try {
      return await ask({ ...question, signal: deadline.signal }, models);
    } catch (fault) {
      if (deadline.expired()) throw timedOut('The embeddings provider');
      const wait = pauseBefore(fault, retry);
      if (wait === undefined || retry === RETRIES || wait > longestPauseMs) throw fault;
      log.info({ retry: retry + 1, wait }, 'a request for embeddings is tried again');
      await pause(wait, undefined, { signal: question.signal });
    } finally {
      deadline.dispose();
    }
  }
}

function pauseBefore(fault: unknown, retry: number): number | undefined {
  if (!(fault instanceof AppError) || !fault.retryable) return undefined;
  if (fault.retryAfterSeconds !== undefined) return fault.retryAfterSeconds * 1000;
  return FIRST_PAUSE_MS * 2 ** retry * (1 + Math.random());
}

type RemoteSettings = ProvidersModel<EmbeddingsEndpoint>;

/** What a provider takes at once. */
export interface BatchLimits {
  readonly mostTexts: number;
  readonly mostChars: number;
}

/** Groups of neighbours, each within the limits; a text that is longer than a group may be has one to itself. */
export function batchesOf(texts: readonly string[], { mostTexts, mostChars }: BatchLimits): string[][] {
  const batches: string[][] = [];
  let chars = Infinity;
  for (const text of texts) {
    const last = batches.at(-1);
    if (!last || last.length >= mostTexts || chars + text.length > mostChars) {
      batches.push([text]);
      chars = text.length;
    } else {
      last.push(text);
      chars += text.length;
    }
  }
  return batches;
}

/** The beginning of a text, without halves of characters. Providers refuse an empty one, so that becomes a blank. */
export function beginningOf(text: string, mostChars: number): string {
  const beginning = Buffer.from(text.slice(0, mostChars)).toString();
  return beginning.trim() === '' ? ' ' : beginning;
}
