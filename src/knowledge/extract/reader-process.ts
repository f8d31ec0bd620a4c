import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../core/errors.js';
import type { FromReader, ToReader } from './extract.js';
import { readDocument } from './read-document.js';

/** The other side of `extract.ts`: reads one document in a process of its own, then ends. */

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
process.once('message', (told) => {
  void read(told as ToReader);
});

async function read({ file, limits }: ToReader): Promise<void> {
  setPriority(NICE);
  const mostBytes = limits.memoryMb * 1024 * 1024;
  new Worker(WATCH, { eval: true, workerData: { mostBytes }, env: {}, execArgv: [] }).unref();
  let last = 0;
  const onProgress = (percent: number) => {
    if (Math.floor(percent) <= last) return;
    last = Math.floor(percent);
    say({ say: 'progress', percent: last });
  };
  try {
    say({ say: 'done', document: await readDocument(file, limits, onProgress) });
  } catch (fault) {
    // What a parser says of its insides is nothing for the owner of a document.
    say(fault instanceof AppError ? { say: 'refused', message: fault.message } : { say: 'failed' });
  }
}

function say(words: FromReader): void {
  process.send?.(words, (fault: Error | null) => {
    if (fault || words.say !== 'progress') process.disconnect();
  });
}
