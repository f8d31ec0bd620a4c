import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { unreadableDocument } from '../../core/errors.js';
import type {
  ExtractedDocument,
  ExtractLimits,
  FileToExtract,
  PictureWishes,
} from '../../core/knowledge/extracted.js';
import { entryModule } from '../../paths.js';
import { isNotUnderstood, needsTooMuchMemory, takesTooLong } from './refusals.js';

/** What a process that reads documents is told of each. */
export interface ToReader extends PictureWishes {
  readonly file: FileToExtract;
  readonly limits: ExtractLimits;
  /** Whether others are to be read by the same process afterwards. */
  readonly isLight: boolean;
}

/** What it says of it: how far it is and what takes longer, then one of the others. */
export type FromReader =
  | { readonly say: 'progress'; readonly percent: number }
  /** Text recognition has begun, on so many pages. */
  | { readonly say: 'scans'; readonly pages: number }
  | { readonly say: 'done'; readonly document: ExtractedDocument }
  | {
      readonly say: 'refused';
      readonly message: string;
      readonly param: string | undefined;
      readonly reason: string | undefined;
    }
  | { readonly say: 'heavy' | 'failed' };

type Task = Omit<ToReader, 'isLight'>;

interface Surveillance {
  readonly ms: number;
  readonly signal: AbortSignal;
  readonly onProgress: (percent: number) => void;
  readonly onScans?: (() => void) | undefined;
}

type Read = (task: Task, watch: Surveillance) => Promise<ExtractedDocument>;

/** Of a document that a process for several could not read: another kind than its name says, or the end of the process. */
export class TooHeavy extends Error {}

/** The rest is for the bytes of the document and for Node itself. */
const SHARE_OF_HEAP = 0.6;
/** A process that has nothing to read for so long ends, and so does one that has read so many. */
const IDLE_MS = 5_000;
const MOST_DOCUMENTS = 2_000;
/** So long one that reads is waited for, which may be at a document that takes long. */
const SOON_MS = 1_000;
/** So long one that has hardly begun: another would load and learn the same beside it, on a machine that is busy with that. */
const LEARNT_MS = 10_000;
const LEARNING = 10;

/** What one document is made of never reaches the prototype of an object, and so the next document. */
const NO_WAY_TO_THE_NEXT = ['--disable-proto=delete'];

interface WarmReader {
  readonly reader: ChildProcess;
  documents: number;
  idle?: NodeJS.Timeout;
}

export interface Readers {
  /** In a process of its own, which ends with it. */
  readonly alone: Read;
  /** In a process that has read others before. */
  readonly warm: Read;
  close(): void;
}

export function createReaders(memoryMb: number): Readers {
  const free: WarmReader[] = [];
  const waiting: ((warm: WarmReader | undefined) => void)[] = [];
  let busy = 0;
  let learning = 0;
  let isClosed = false;

  const soonFree = () =>
    new Promise<WarmReader | undefined>((resolve) => {
      const take = (warm: WarmReader | undefined) => {
        clearTimeout(timer);
        waiting.splice(waiting.indexOf(take), 1);
        resolve(warm);
      };
      const timer = setTimeout(take, learning > 0 ? LEARNT_MS : SOON_MS, undefined);
      waiting.push(take);
    });

  const start = (): WarmReader => {
    const reader = startReader(memoryMb, NO_WAY_TO_THE_NEXT);
    // Nobody waits for it between two documents.
    reader.unref();
    reader.channel?.unref();
    const warm = { reader, documents: 0 };
    reader.once('exit', () => {
      const at = free.indexOf(warm);
      if (at >= 0) free.splice(at, 1);
    });
    return warm;
  };
  const putBack = (warm: WarmReader) => {
    if (isClosed || !warm.reader.connected || warm.documents >= MOST_DOCUMENTS) {
      warm.reader.kill('SIGKILL');
      return;
    }
    const [next] = waiting;
    if (next) {
      next(warm);
      return;
    }
    warm.idle = setTimeout(() => warm.reader.kill('SIGKILL'), IDLE_MS).unref();
    free.push(warm);
  };

  return {
    async alone(task, watch) {
      const reader = startReader(memoryMb);
      try {
        return await readWith(reader, { ...task, isLight: false }, watch);
      } finally {
        reader.kill('SIGKILL');
      }
    },
    async warm(task, watch) {
      const warm = free.pop() ?? (busy > 0 ? await soonFree() : undefined) ?? start();
      const isNew = warm.documents < LEARNING;
      busy += 1;
      if (isNew) learning += 1;
      clearTimeout(warm.idle);
      warm.documents += 1;
      try {
        watch.signal.throwIfAborted();
        return await readWith(warm.reader, { ...task, isLight: true }, watch);
      } finally {
        busy -= 1;
        if (isNew) learning -= 1;
        putBack(warm);
      }
    },
    close() {
      isClosed = true;
      for (const { reader } of free) reader.kill('SIGKILL');
    },
  };
}

function startReader(memoryMb: number, flags: readonly string[] = []): ChildProcess {
  const heapMb = Math.floor(memoryMb * SHARE_OF_HEAP);
  // Without our environment: a parser needs none of our secrets; nor our flags, one of which might give it more memory.
  return fork(fileURLToPath(entryModule('src/knowledge/extract/reader-process.js')), {
    env: { NODE_OPTIONS: `--max-old-space-size=${String(heapMb)}` },
    execArgv: [...flags],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
}

/** Ends the process unless it has answered. */
function readWith(
  reader: ChildProcess,
  task: ToReader,
  { ms, signal, onProgress, onScans }: Surveillance,
): Promise<ExtractedDocument> {
  return new Promise<ExtractedDocument>((resolve, reject) => {
    const end = (why: unknown) => {
      reject(why instanceof Error ? why : new Error('Reading was ended.'));
      reader.kill('SIGKILL');
    };
    const onAbort = () => {
      end(signal.reason);
    };
    const endAfter = (after: number) =>
      setTimeout(() => {
        end(takesTooLong());
      }, after);
    let timer = endAfter(ms);
    const onMessage = (said: unknown) => {
      const words = said as FromReader;
      if (words.say === 'progress') {
        onProgress(words.percent);
        return;
      }
      if (words.say === 'scans') {
        clearTimeout(timer);
        timer = endAfter(ms + msOfScans(words.pages, task.limits));
        onScans?.();
        return;
      }
      stopListening();
      if (words.say === 'done') resolve(words.document);
      else if (words.say === 'heavy') reject(new TooHeavy());
      else reject(words.say === 'refused' ? refusedWith(words) : isNotUnderstood());
    };
    const onExit = (code: number | null, how: NodeJS.Signals | null) => {
      stopListening();
      if (task.isLight) reject(new TooHeavy());
      else reject(ranOutOfMemory(code, how) ? needsTooMuchMemory() : isNotUnderstood());
    };
    const stopListening = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      reader.off('message', onMessage).off('error', end).off('exit', onExit);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    reader.on('message', onMessage).once('error', end).once('exit', onExit);
    reader.send(task);
  });
}

const refusedWith = ({ message, param, reason }: Extract<FromReader, { readonly say: 'refused' }>) =>
  unreadableDocument(message, { param, reason });

/** The reader stops by itself when this is up, and keeps the pages it has: it is ended only if it does not. */
function msOfScans(pages: number, { ocrSeconds, ocrSecondsAPage }: ExtractLimits): number {
  return 1_000 * (Math.min(ocrSeconds, pages * ocrSecondsAPage) + ocrSecondsAPage);
}

/** Nobody else kills it: it does so itself, or the system does, for the same reason. Node aborts when its heap is full. */
function ranOutOfMemory(code: number | null, signal: NodeJS.Signals | null): boolean {
  return signal === 'SIGKILL' || signal === 'SIGABRT' || code === 134;
}
