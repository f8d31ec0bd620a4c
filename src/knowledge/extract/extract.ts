import { fork } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { unreadableDocument } from '../../core/errors.js';
import type {
  Extract,
  ExtractedDocument,
  ExtractLimits,
  FileToExtract,
} from '../../core/knowledge/extracted.js';
import { entryModule } from '../../paths.js';
import { isNotUnderstood, needsTooMuchMemory, takesTooLong } from './refusals.js';

/** What a process that reads a document is told, once. */
export interface ToReader {
  readonly file: FileToExtract;
  readonly limits: ExtractLimits;
}

/** What it says: how far it is, then one of the others. */
export type FromReader =
  | { readonly say: 'progress'; readonly percent: number }
  | { readonly say: 'done'; readonly document: ExtractedDocument }
  | { readonly say: 'refused'; readonly message: string }
  | { readonly say: 'failed' };

const DEFAULTS: Omit<ExtractLimits, 'pages'> = {
  characters: 20_000_000,
  unpackedBytes: 200_000_000,
  memoryMb: 1_024,
  seconds: 120,
};
const SECONDS_PER_MB = 5;
/** The rest is for the bytes of the document and for Node itself. */
const SHARE_OF_HEAP = 0.6;

type Limits = Pick<ExtractLimits, 'pages'> & Partial<ExtractLimits>;

/**
 * Reads every document in a process of its own, which ends with it. A thread would not do: when a thread runs out of
 * memory in one large step, Node ends the whole process.
 */
export function createExtract({ limits }: { readonly limits: Limits }): Extract {
  const all = { ...DEFAULTS, ...limits };
  return async (file, { signal, onProgress }) => {
    const { size } = await stat(file.path);
    const ms = 1_000 * (all.seconds + (SECONDS_PER_MB * size) / 1_000_000);
    signal.throwIfAborted();
    return await readApart({ file, limits: all }, { ms, signal, onProgress });
  };
}

interface Surveillance {
  readonly ms: number;
  readonly signal: AbortSignal;
  readonly onProgress: (percent: number) => void;
}

function readApart(task: ToReader, { ms, signal, onProgress }: Surveillance): Promise<ExtractedDocument> {
  const heapMb = Math.floor(task.limits.memoryMb * SHARE_OF_HEAP);
  // Without our environment: a parser needs none of our secrets; nor our flags, one of which might give it more memory.
  const reader = fork(fileURLToPath(entryModule('src/knowledge/extract/reader-process.js')), {
    env: { NODE_OPTIONS: `--max-old-space-size=${String(heapMb)}` },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
  return new Promise((resolve, reject) => {
    const end = (why: unknown) => {
      reject(why instanceof Error ? why : new Error('Reading was ended.'));
      reader.kill('SIGKILL');
    };
    const onAbort = () => {
      end(signal.reason);
    };
    const timer = setTimeout(() => {
      end(takesTooLong());
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
    reader.on('message', (said) => {
      const words = said as FromReader;
      if (words.say === 'progress') onProgress(words.percent);
      else if (words.say === 'done') resolve(words.document);
      else reject(words.say === 'refused' ? unreadableDocument(words.message) : isNotUnderstood());
    });
    reader.once('error', end);
    reader.once('exit', (code, how) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      reject(ranOutOfMemory(code, how) ? needsTooMuchMemory() : isNotUnderstood());
    });
    reader.send(task);
  });
}

/** Nobody else kills it: it does so itself, or the system does, for the same reason. Node aborts when its heap is full. */
function ranOutOfMemory(code: number | null, signal: NodeJS.Signals | null): boolean {
  return signal === 'SIGKILL' || signal === 'SIGABRT' || code === 134;
}
