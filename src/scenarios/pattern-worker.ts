import { parentPort, workerData } from 'node:worker_threads';

/** The other side of `pattern.ts`, on a thread of its own. */

const LONGEST = 200;

const { source, flags, texts } = workerData as {
  readonly source: string;
  readonly flags: string;
  readonly texts: readonly string[];
};
const pattern = new RegExp(source, flags);

parentPort?.postMessage('begun');
parentPort?.postMessage({ found: texts.map((text) => pattern.exec(text)?.[0].slice(0, LONGEST) ?? null) });
