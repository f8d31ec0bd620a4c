import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../core/errors.js';
import { readDocument } from './read-document.js';
import type { FromReader, ToReader } from './readers.js';

/** The other side of `readers.ts`: reads a document at a time, until it is ended or nobody is left to read for. */

/** Behind whoever answers people. */
const NICE = 5;

/** On a thread of its own, as a parser may not let go of this one. Nobody is left to hear a reason: the end says it. */
const WATCH = `
  const { workerData } = require('node:worker_threads');
  const parent = process.ppid;
  setInterval(() => {
    if (process.memoryUsage.rss() > workerData.mostBytes || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }, 50);
`;

// Whoever started it ends it; a signal to the whole group is none of its business.
process.on('SIGTERM', () => undefined);
process.on('SIGINT', () => undefined);
process.once('disconnect', () => process.exit());
process.on('message', (told) => {
  void read(told as ToReader);
});
setPriority(NICE);

let isWatched = false;

function watchMemory(mostBytes: number): void {
  if (isWatched) return;
  isWatched = true;
  new Worker(WATCH, { eval: true, workerData: { mostBytes }, env: {}, execArgv: [] }).unref();
}

async function read({ file, limits, isLight, ocr, describe }: ToReader): Promise<void> {
  watchMemory(limits.memoryMb * 1024 * 1024);
  let last = 0;
  const onProgress = (percent: number) => {
    if (Math.floor(percent) <= last) return;
    last = Math.floor(percent);
    say({ say: 'progress', percent: last });
  };
  try {
    const onScans = (pages: number) => {
      say({ say: 'scans', pages });
    };
    const options = { limits, onProgress, onScans, onlyLight: isLight, ocr, describe };
    const document = await readDocument(file, options);
    say(document ? { say: 'done', document } : { say: 'heavy' });
  } catch (fault) {
    // What a parser says of its insides is nothing for the owner of a document.
    if (!(fault instanceof AppError)) say({ say: 'failed' });
    else {
      const { message, param, reason } = fault;
      say({ say: 'refused', message, param: param ?? undefined, reason });
    }
  }
}

function say(words: FromReader): void {
  process.send?.(words, (fault: Error | null) => {
    if (fault) process.disconnect();
  });
}
