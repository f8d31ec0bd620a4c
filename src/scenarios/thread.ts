import { Worker } from 'node:worker_threads';
import { entryModule } from '../paths.js';

/**
 * What a thread of its own answers to this, within its time; undefined when it took longer or broke. What somebody wrote may
 * take for ever to work through, and nobody else is to wait for it.
 */
export function askThread<Answer>(
  module: `src/${string}.js`,
  asked: object,
  withinMs: number,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(entryModule(module), {
      ...{ workerData: asked, resourceLimits: { maxOldGenerationSizeMb: 256 } },
    });
    let timer: NodeJS.Timeout | undefined;
    const end = (answer: Answer | undefined) => {
      clearTimeout(timer);
      resolve(answer);
      void worker.terminate();
    };
    // It counts from when the thread is there: a busy machine must not decide.
    worker.once('online', () => {
      timer = setTimeout(() => {
        end(undefined);
      }, withinMs);
    });
    worker.once('message', end);
    worker.once('error', () => {
      end(undefined);
    });
  });
}
