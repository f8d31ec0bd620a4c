import { Worker } from 'node:worker_threads';
import { entryModule, WITHOUT_FLAGS } from '../paths.js';

/** How many tokens a text is to OpenAI's newer models; other models differ a little. */
export type CountTokens = (text: string) => Promise<number>;

const CHARS_PER_TOKEN = 4;
/** The tables take a lot of memory: they are let go when nobody has asked for so long. */
const IDLE_MS = 300_000;

interface Counting {
  ask(text: string): Promise<number>;
}

/** Counts on a thread of its own, made when first asked: nobody's answer waits for it. */
export function createTokenCounter(): CountTokens {
  let counting: Counting | undefined;
  const forget = () => {
    counting = undefined;
  };

  return async (text) => {
    if (text === '') return 0;
    try {
      return await (counting ??= startCounting(forget)).ask(text);
    } catch {
      return Math.ceil(text.length / CHARS_PER_TOKEN);
    }
  };
}

interface Waiting {
  resolve(tokens: number): void;
  reject(fault: Error): void;
}

function startCounting(onEnd: () => void): Counting {
  const worker = new Worker(entryModule('src/assistants/token-count-worker.js'), WITHOUT_FLAGS);
  const waiting = new Map<number, Waiting>();
  let last = 0;
  let idle: NodeJS.Timeout | undefined;

  const end = () => {
    onEnd();
    for (const { reject } of waiting.values()) reject(new Error('Counting ended.'));
    waiting.clear();
  };
  worker.on('error', end);
  worker.on('exit', end);
  worker.on('message', ({ id, tokens }: { readonly id: number; readonly tokens: number }) => {
    waiting.get(id)?.resolve(tokens);
    waiting.delete(id);
    if (waiting.size > 0) return;
    // Only whoever waits for an answer keeps the process.
    worker.unref();
    idle = setTimeout(() => void worker.terminate(), IDLE_MS).unref();
  });

  return {
    ask: (text) =>
      new Promise((resolve, reject) => {
        clearTimeout(idle);
        last += 1;
        waiting.set(last, { resolve, reject });
        worker.ref();
        worker.postMessage({ id: last, text });
      }),
  };
}
