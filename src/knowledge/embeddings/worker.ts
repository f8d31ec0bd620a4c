import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadModel } from './local-embedder.js';
import { normalised } from './vectors.js';
import { cutTokens, firstOfTokens, meanOfTokens, type TokenBatch, tokenBatch } from './token-batch.js';

/** The other side of `local-embedder.ts`, on a thread of its own: a text takes up to a tenth of a second. */

interface Tensor {
  readonly data: ArrayLike<number>;
}

interface Session {
  readonly inputNames?: readonly string[];
  run(inputs: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, Tensor>>>;
}

/** As much of the packages as is used: they are not there when this is compiled. */
interface Runtime {
  readonly InferenceSession: { create(file: string, options: object): Promise<Session> };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, shape: readonly number[]) => unknown;
}

interface Tokenizers {
  readonly Tokenizer: new (
    tokenizer: unknown,
    config: unknown,
  ) => { encode(text: string): { ids: number[] } };
}

interface Job {
  readonly id: number;
  readonly texts: readonly string[];
}

const { folder, threads, files, mostTokens, pooling } = workerData as ThreadModel;
const pool = pooling === 'mean' ? meanOfTokens : firstOfTokens;
const load = createRequire(join(folder, 'package.json'));
const { InferenceSession, Tensor } = load('onnxruntime-node') as Runtime;
const { Tokenizer } = load('@huggingface/tokenizers') as Tokenizers;

const json = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const tokenizer = new Tokenizer(json(files.tokenizer), json(files.tokenizerConfig));
const session = await InferenceSession.create(join(folder, files.weights), {
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
});

parentPort?.on('message', (job: Job) => {
  void answer(job);
});

async function answer({ id, texts }: Job): Promise<void> {
  try {
    const batch = tokenBatch(texts.map((text) => cutTokens(tokenizer.encode(text).ids, mostTokens)));
    const { last_hidden_state: hidden } = await session.run(inputsOf(batch));
    const vectors = pool(hidden?.data ?? [], batch).map(normalised);
    parentPort?.postMessage({ id, vectors });
  } catch (fault) {
    parentPort?.postMessage({ id, fault: String(fault) });
  }
}

function inputsOf({ rows, width, ids, mask, types }: TokenBatch): Readonly<Record<string, unknown>> {
  const tensor = (data: BigInt64Array) => new Tensor('int64', data, [rows, width]);
  const all = { input_ids: tensor(ids), attention_mask: tensor(mask), token_type_ids: tensor(types) };
  // Not every model tells kinds of tokens apart, and one that is given what it does not know refuses.
  const known = new Set(session.inputNames ?? Object.keys(all));
  return Object.fromEntries(Object.entries(all).filter(([name]) => known.has(name)));
}
