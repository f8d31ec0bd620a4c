import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { LOCAL_MODEL } from './local-model.js';
import { normalised } from './vectors.js';
import { cutTokens, meanOfTokens, type TokenBatch, tokenBatch } from './token-batch.js';

/** The other side of `local-embedder.ts`, on a thread of its own: a text takes up to a tenth of a second. */

interface Tensor {
  readonly data: ArrayLike<number>;
}

interface Session {
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

const { folder, threads } = workerData as { readonly folder: string; readonly threads: number };
const load = createRequire(join(folder, 'package.json'));
const { InferenceSession, Tensor } = load('onnxruntime-node') as Runtime;
const { Tokenizer } = load('@huggingface/tokenizers') as Tokenizers;

const json = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
const tokenizer = new Tokenizer(json(LOCAL_MODEL.tokenizer), json(LOCAL_MODEL.tokenizerConfig));
const session = await InferenceSession.create(join(folder, LOCAL_MODEL.weights), {
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
});

parentPort?.on('message', (job: Job) => {
  void answer(job);
});

async function answer({ id, texts }: Job): Promise<void> {
  try {
    const batch = tokenBatch(
      texts.map((text) => cutTokens(tokenizer.encode(text).ids, LOCAL_MODEL.mostTokens)),
    );
    const { last_hidden_state: hidden } = await session.run(inputsOf(batch));
    const vectors = meanOfTokens(hidden?.data ?? [], batch).map(normalised);
    parentPort?.postMessage({ id, vectors });
  } catch (fault) {
    parentPort?.postMessage({ id, fault: String(fault) });
  }
}

function inputsOf({ rows, width, ids, mask, types }: TokenBatch): Readonly<Record<string, unknown>> {
  const tensor = (data: BigInt64Array) => new Tensor('int64', data, [rows, width]);
  return { input_ids: tensor(ids), attention_mask: tensor(mask), token_type_ids: tensor(types) };
}
