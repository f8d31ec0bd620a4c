import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { z } from 'zod';
import { bytesFromProvider, unusable } from '../../clients/provider.js';
import { AppError, timedOut } from '../../core/errors.js';
import type { Embedder } from '../../core/knowledge/embedder.js';
import type { Logger } from '../../core/log.js';
import { createDeadline } from '../../core/runs/deadline.js';
import type { EmbeddingSettings, ModelTransport } from '../../core/runs/run-context.js';
import { checkedVectors, Vectors } from './vectors.js';

export interface RemoteDeps {
  readonly models: ModelTransport;
  readonly log: Logger;
}

/** A text of so many characters is within what models take, in any script; passages are far shorter. */
const MOST_CHARS = 8_000;
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

/** An embeddings endpoint of OpenAI's kind or Ollama's, at an address that an administrator has set. */
export function createRemoteEmbedder(settings: RemoteSettings, deps: RemoteDeps): Embedder {
  const wire = WIRES[settings.provider];
  return {
    model: `${settings.provider}:${settings.model}`,
    async embed(texts, { kind, signal }) {
      const cut = texts.map((text) => beginningOf(text, MOST_CHARS));
      const limit = pLimit(BATCHES_AT_ONCE);
      const asked = batchesOf(cut, BATCH).map((batch) =>
        limit(() => askAgain({ wire, settings, batch, signal }, PATIENCE[kind], deps)),
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
  readonly wire: Wire;
  readonly settings: RemoteSettings;
  readonly batch: readonly string[];
  readonly signal: AbortSignal;
}

async function ask(
  { wire, settings, batch, signal }: Question,
  models: ModelTransport,
): Promise<Float32Array[]> {
  const { baseUrl, apiKey, model } = settings;
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  const body = JSON.stringify(wire.body(model, batch));
  const call = { url: `${baseUrl}${wire.path}`, headers, body, signal, expects: JSON_ANSWER };
  const parts: Uint8Array[] = [];
  for await (const bytes of bytesFromProvider(call, models)) parts.push(bytes);
  try {
    return wire.read(JSON.parse(Buffer.concat(parts).toString()), batch.length);
  } catch (fault) {
    if (fault instanceof SyntaxError || fault instanceof z.ZodError) throw unusable(JSON_ANSWER.words);
    throw fault;
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

type RemoteSettings = Exclude<EmbeddingSettings, { readonly provider: 'local' }>;

/** How one kind of provider is spoken to. */
interface Wire {
  readonly path: string;
  body(model: string, texts: readonly string[]): object;
  /** Throws on what is no answer to so many texts. */
  read(answer: unknown, wanted: number): Float32Array[];
}

const OpenAiAnswer = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: Vectors.element })),
});
const OllamaAnswer = z.object({ embeddings: Vectors });

const WIRES: Readonly<Record<RemoteSettings['provider'], Wire>> = {
  openai: {
    path: '/embeddings',
    body: (model, input) => ({ model, input, encoding_format: 'float' }),
    read(answer, wanted) {
      const { data } = OpenAiAnswer.parse(answer);
      // Nearly everybody keeps the order; whoever numbers them means the numbers.
      const inOrder = data.map(({ index, embedding }, place) => ({ index: index ?? place, embedding }));
      inOrder.sort((a, b) => a.index - b.index);
      return checkedVectors(
        inOrder.map(({ embedding }) => embedding),
        wanted,
      );
    },
  },
  ollama: {
    path: '/api/embed',
    // Ollama truncates a text that is longer than the model's context.
    body: (model, input) => ({ model, input, truncate: true }),
    read: (answer, wanted) => checkedVectors(OllamaAnswer.parse(answer).embeddings, wanted),
  },
};

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
