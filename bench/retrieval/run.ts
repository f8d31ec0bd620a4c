import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createProgressDisplay } from '../../src/import-progress.js';
import { readTestCollection } from './beir.js';
import type { Quality } from './metrics.js';
import { measureQuality } from './quality.js';
import { measureSpeed } from './speed.js';

/**
 * How well passages are found, beside plain BM25, and how fast, at growing sizes.
 *
 *   npm run bench:retrieval -- [--collection folder in BEIR's layout] [--each] [--sizes 1000,10000,100000 | none]
 *                              [--json file]
 *
 * Ends with 1 when the service finds less well than plain BM25.
 */

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    collection: { type: 'string', default: join(here, 'campus') },
    each: { type: 'boolean', default: false },
    sizes: { type: 'string', default: '1000,10000,100000' },
    json: { type: 'string', default: join(here, '..', 'results', 'retrieval.json') },
  },
});

const folder = resolve(options.collection);
const progress = createProgressDisplay(process.stderr);
const collection = await readTestCollection(folder);
const quality = await measureQuality(collection, progress, options.each ? showQuestion : undefined);
showQuality();

const sizes = options.sizes === 'none' ? [] : options.sizes.split(',').map(Number);
const speed = await measureSpeed(sizes, progress);
if (speed.length > 0) showSpeed();

const results = { collection: basename(folder), quality, speed, node: process.version };
await mkdir(dirname(resolve(options.json)), { recursive: true });
await writeFile(options.json, `${JSON.stringify(results, undefined, 2)}\n`);
process.exitCode = quality.service.ndcg10 < quality.plain.ndcg10 ? 1 : 0;

function showQuestion(id: string, service: Quality, plain: Quality): void {
  const mark = service.ndcg10 > plain.ndcg10 ? '+' : service.ndcg10 < plain.ndcg10 ? '-' : ' ';
  process.stdout.write(`${mark} ${id.padEnd(12)} ${service.ndcg10.toFixed(3)}  ${plain.ndcg10.toFixed(3)}\n`);
}

function showQuality(): void {
  const { documents, passages, questions } = quality;
  process.stdout.write(
    `\n${basename(folder)}: ${String(documents)} documents, ${String(passages)} passages, ${String(questions)} questions\n`,
  );
  const row = ({ ndcg10, recall10, recall100, mrr10 }: Quality) => ({
    'nDCG@10': ndcg10.toFixed(4),
    'recall@10': recall10.toFixed(4),
    'recall@100': recall100.toFixed(4),
    'MRR@10': mrr10.toFixed(4),
  });
  console.table({ 'search by words': row(quality.service), 'plain BM25': row(quality.plain) });
}

function showSpeed(): void {
  const ms = (value: number) => Number(value.toFixed(1));
  console.table(
    speed.map((one) => ({
      passages: one.passages,
      'taken in per s': Math.round(one.passagesPerSecond),
      'MB/s': Number(one.megabytesPerSecond.toFixed(2)),
      'per CPU s': Math.round(one.passagesPerCpuSecond),
      'median ms': ms(one.quiet.medianMs),
      'p95 ms': ms(one.quiet.p95Ms),
      'CPU ms': ms(one.quiet.cpuMs),
      'median ms, ingesting': ms(one.whileIngesting.medianMs),
      'p95 ms, ingesting': ms(one.whileIngesting.p95Ms),
      'peak MB': Math.round(one.peakMemoryMb),
    })),
  );
}
