import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../core/errors.js';
import { type Embedder, LONGEST_EMBEDDED } from '../../core/knowledge/embedder.js';
import type { LocalModel } from '../../core/knowledge/local-model.js';
import type { Logger } from '../../core/log.js';
import { batchesOf, beginningOf } from './remote-embedder.js';

export interface LocalEmbedderDeps {
  readonly model: LocalModel;
  readonly modelsFolder: string;
  /** The compiled `worker.ts`. */
  readonly worker: URL;
  readonly log: Logger;
  readonly idleMs?: number;
}

export interface LocalEmbedder extends Embedder {
  close(): Promise<void>;
}

const IDLE_MS = 300_000;
/** What the thread does in one go: little enough that a question does not wait long behind it. */
const JOB = { mostTexts: 16, mostChars: 4_000 };

/** Makes vectors in this process, on a thread that is there while it is needed. */
export function createLocalEmbedder({
  model,
  modelsFolder,
  worker,
  log,
  idleMs = IDLE_MS,
}: LocalEmbedderDeps): LocalEmbedder {
  const { title, languages, files, mostTokens, pooling, prefixes } = model;
  const folder = join(modelsFolder, title);
  let thread: EmbeddingThread | undefined;

  const start = (): EmbeddingThread => {
    log.info({ model: title, languages }, 'the local embeddings model is loaded');
    // One processor is left to everybody else, where there is more than one.
    const threads = Math.max(1, availableParallelism() - 1);
    const onEnd = () => {
      if (thread === started) thread = undefined;
    };
    const workerData = { folder, threads, files, mostTokens, pooling };
    const started = startEmbeddingThread({ worker, workerData, idleMs, onEnd });
    return started;
  };

  return {
    model: `local:${title}`,
    languages,
    async embed(texts, { kind, signal }) {
      // Neighbours of the same length waste least on filling up.
      const byLength = texts
        .map((text, place) => ({ text: prefixes[kind] + beginningOf(text, LONGEST_EMBEDDED), place }))
        .sort((a, b) => a.text.length - b.text.length);
      const jobs = batchesOf(
        byLength.map(({ text }) => text),
        JOB,
      );
      const vectors: Float32Array[] = [];
      for (const job of jobs) {
        signal.throwIfAborted();
        vectors.push(...(await (thread ??= start()).ask(job, { urgent: kind === 'query' }).catch(failed)));
      }
      const inOrder = new Array<Float32Array>(texts.length);
      byLength.forEach(({ place }, i) => (inOrder[place] = vectors[i] as Float32Array));
      return inOrder;
    },
    async close() {
      await thread?.end();
    },
  };
}

function failed(cause: unknown): never {
  const message =
    'The local embeddings model failed. An administrator can see why in the log, and run "npm run embeddings:local" again.';
  throw new AppError(message, { status: 500, type: 'api_error', code: 'local_model_failed', cause });
}

interface EmbeddingThread {
  /** One job at a time; an urgent one goes before those that wait. */
  ask(texts: readonly string[], options: { readonly urgent: boolean }): Promise<readonly Float32Array[]>;
  end(): Promise<void>;
}

/** What the thread has to know of its model. */
export interface ThreadModel extends Pick<LocalModel, 'files' | 'mostTokens' | 'pooling'> {
  readonly folder: string;
  readonly threads: number;
}

interface ThreadOptions {
  readonly worker: URL;
  readonly workerData: ThreadModel;
  /** The model takes a lot of memory: it is let go when nobody has asked for so long. */
  readonly idleMs: number;
  readonly onEnd: () => void;
}

interface Job {
  readonly texts: readonly string[];
  resolve(vectors: readonly Float32Array[]): void;
  reject(fault: Error): void;
}

interface Answer {
  readonly vectors?: readonly Float32Array[];
  readonly fault?: string;
}

function startEmbeddingThread({ worker: file, workerData, idleMs, onEnd }: ThreadOptions): EmbeddingThread {
  const worker = new Worker(file, { workerData });
  const urgent: Job[] = [];
  const patient: Job[] = [];
  let current: Job | undefined;
  let idle: NodeJS.Timeout | undefined;

  const next = () => {
    clearTimeout(idle);
    current = urgent.shift() ?? patient.shift();
    if (current) worker.postMessage({ id: 0, texts: current.texts });
    else idle = setTimeout(() => void worker.terminate(), idleMs).unref();
  };
  const end = (fault: unknown) => {
    clearTimeout(idle);
    onEnd();
    const reason = new Error('The thread of the local model ended.', { cause: fault });
    for (const { reject } of [...(current ? [current] : []), ...urgent.splice(0), ...patient.splice(0)])
      reject(reason);
    current = undefined;
  };
  worker.unref();
  worker.on('error', end);
  worker.on('exit', end);
  worker.on('message', ({ vectors, fault }: Answer) => {
    const job = current;
    next();
    if (vectors) job?.resolve(vectors);
    else job?.reject(new Error(fault));
  });

  return {
    ask: (texts, options) =>
      new Promise((resolve, reject) => {
        (options.urgent ? urgent : patient).push({ texts, resolve, reject });
        if (!current) next();
      }),
    async end() {
      await worker.terminate();
    },
  };
}
