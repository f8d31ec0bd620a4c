import { Worker } from 'node:worker_threads';
import { entryModule, WITHOUT_FLAGS } from '../paths.js';

/** What the thread says before it begins to work. */
const BEGUN = 'begun';

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
      ...{ ...WITHOUT_FLAGS, workerData: asked, resourceLimits: { maxOldGenerationSizeMb: 256 } },
    });
    let timer: NodeJS.Timeout | undefined;
    const end = (answer: Answer | undefined) => {
      clearTimeout(timer);
      resolve(answer);
      void worker.terminate();
    };
    worker.on('message', (told: typeof BEGUN | Answer) => {
      if (told !== BEGUN) end(told);
      // It counts from there: how long a busy machine takes to load it must not decide.
      else
        timer = setTimeout(() => {
          end(undefined);
        }, withinMs);
    });
    worker.once('error', () => {
      end(undefined);
    });
  });
}
