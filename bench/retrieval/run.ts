import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createProgressDisplay } from '../../src/commands/progress.js';
import { readTestCollection } from './beir.js';
import { openEmbedder } from './embedder.js';
import type { Quality } from './metrics.js';
import { measureQuality, type QualityResult } from './quality.js';
import { measureSpeed } from './speed.js';

/**
 * How well passages are found, beside plain BM25, and how fast, at growing sizes.
 *
 *   npm run bench:retrieval -- [--collection folder in BEIR's layout] [--embeddings local | openai:<model> | ollama:<model>]
 *                              [--each] [--sizes 1000,10000,100000 | none] [--json file]
 *
 * Ends with 1 when searching by words finds less well than plain BM25, or by words and meaning less well than by either.
 */

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
  options: {
    collection: { type: 'string', default: join(here, 'campus') },
    embeddings: { type: 'string', default: 'none' },
    each: { type: 'boolean', default: false },
    sizes: { type: 'string', default: '1000,10000,100000' },
    json: { type: 'string', default: join(here, '..', 'results', 'retrieval.json') },
  },
});

const folder = resolve(options.collection);
const progress = createProgressDisplay(process.stderr);
const collection = await readTestCollection(folder);
const { embedder, close } = await openEmbedder(options.embeddings, process.env);
const quality = await measureQuality(collection, {
  progress,
  embedder,
  onQuestion: options.each ? showQuestion : undefined,
});
await close();
showQuality();

const sizes = options.sizes === 'none' ? [] : options.sizes.split(',').map(Number);
const speed = await measureSpeed(sizes, progress);
if (speed.length > 0) showSpeed();

const results = { collection: basename(folder), quality, speed, node: process.version };
await mkdir(dirname(resolve(options.json)), { recursive: true });
await writeFile(options.json, `${JSON.stringify(results, undefined, 2)}\n`);
process.exitCode = keepsItsPromise(quality.ways) ? 0 : 1;

function keepsItsPromise({ words, meaning, both, ...others }: QualityResult['ways']): boolean {
  const worth = (quality: Quality | undefined) => quality?.ndcg10 ?? 0;
  if (worth(words) < worth(others['plain BM25'])) return false;
  return !both || worth(both) > Math.max(worth(words), worth(meaning));
}

function showQuestion(id: string, ways: QualityResult['ways']): void {
  const worths = Object.entries(ways).map(([way, { ndcg10 }]) => `${way} ${ndcg10.toFixed(3)}`);
  process.stdout.write(`${id.padEnd(12)} ${worths.join('  ')}\n`);
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
  console.table(Object.fromEntries(Object.entries(quality.ways).map(([way, of]) => [way, row(of)])));
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
