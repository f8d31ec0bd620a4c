import { Worker } from 'node:worker_threads';

export interface EmbeddingThread {
  /** One job at a time; an urgent one goes before those that wait. */
  ask(texts: readonly string[], options: { readonly urgent: boolean }): Promise<readonly Float32Array[]>;
  end(): Promise<void>;
}

export interface ThreadOptions {
  readonly worker: URL;
  readonly workerData: { readonly folder: string; readonly threads: number };
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

export function startEmbeddingThread({
  worker: file,
  workerData,
  idleMs,
  onEnd,
}: ThreadOptions): EmbeddingThread {
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
