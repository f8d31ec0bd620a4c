import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createProgressDisplay } from '../../src/commands/progress.js';
import { readTestCollection } from './beir.js';
import { openEmbedder } from './embedder.js';
import type { Quality } from './metrics.js';
import { measureBulk } from './bulk.js';
import { type CollectionResult, measureQuality, type QualityResult, type Way } from './quality.js';
import { measureSpeed } from './speed.js';

/**
 * How well passages are found, beside plain BM25 and SQLite's FTS5, how fast, at growing sizes, and what it costs to take in
 * many short files.
 *
 *   npm run bench:retrieval -- [--collection folder in BEIR's layout | all] [--each]
 *                              [--embeddings local | openai:<model> | ollama:<model>]
 *                              [--sizes 2000,10000,100000 | none] [--bulk 1400 | none] [--json file]
 *
 * Ends with 1 when searching by words finds less well than plain BM25 or FTS5, or by words and meaning less well than by
 * words, or when somebody is told that nothing fits although a right answer was found.
 */

const here = dirname(fileURLToPath(import.meta.url));
const OWN = ['campus', 'courses', 'languages', 'pages'].map((name) => join(here, name));
const { values: options } = parseArgs({
  options: {
    collection: { type: 'string', default: 'all' },
    embeddings: { type: 'string', default: 'none' },
    each: { type: 'boolean', default: false },
    sizes: { type: 'string', default: '2000,10000,100000' },
    bulk: { type: 'string', default: '1400' },
    json: { type: 'string', default: join(here, '..', 'results', 'retrieval.json') },
  },
});

const progress = createProgressDisplay(process.stderr);
const { embedder, close } = await openEmbedder(options.embeddings, process.env);
const collections: Record<string, CollectionResult> = {};
for (const folder of options.collection === 'all' ? OWN : [resolve(options.collection)]) {
  const onQuestion = options.each ? showQuestion : undefined;
  const quality = { progress, embedder, onQuestion };
  collections[basename(folder)] = await measureQuality(await readTestCollection(folder), quality);
}
await close();
const kinds = Object.entries(collections).flatMap(([name, result]) =>
  result.kinds.map((kind) => ({ ...kind, name: [name, kind.kind].filter((part) => part !== '').join(', ') })),
);
showQuality();
showFit();

const sizes = options.sizes === 'none' ? [] : options.sizes.split(',').map(Number);
const speed = await measureSpeed(sizes, progress);
if (speed.length > 0) showSpeed();

const bulk = options.bulk === 'none' ? undefined : await measureBulk(Number(options.bulk), progress);
if (bulk) {
  const { files, kilobytes, seconds, cpuSeconds } = bulk;
  process.stdout.write(
    `${String(files)} short files (${String(kilobytes)} KB): ${cpuSeconds.toFixed(1)} CPU seconds of the service and its readers, ${seconds.toFixed(1)} s in all\n`,
  );
}

const results = { embeddings: embedder?.model ?? null, collections, speed, bulk, node: process.version };
await mkdir(dirname(resolve(options.json)), { recursive: true });
await writeFile(options.json, `${JSON.stringify(results, undefined, 2)}\n`);
const losesNothing = Object.values(collections).every(({ fit }) =>
  Object.values(fit).every(({ lost }) => lost === 0),
);
process.exitCode = losesNothing && kinds.every(({ ways }) => keepsItsPromise(ways)) ? 0 : 1;

function keepsItsPromise({ words, both, ...others }: QualityResult['ways']): boolean {
  const worth = (quality: Quality | undefined) => quality?.ndcg10 ?? 0;
  const baselines = [others['plain BM25'], others.FTS5, others['FTS5 porter']].map(worth);
  return worth(words) >= Math.max(...baselines) && (!both || worth(both) >= worth(words));
}

function showQuestion(id: string, ways: QualityResult['ways']): void {
  const worths = Object.entries(ways).map(([way, { ndcg10 }]) => `${way} ${ndcg10.toFixed(3)}`);
  process.stdout.write(`${id.padEnd(14)} ${worths.join('  ')}\n`);
}

function showQuality(): void {
  process.stdout.write('\nnDCG@10\n');
  const rows = kinds.map(({ name, questions, ways }) => {
    const worths = Object.entries(ways).map(([way, { ndcg10 }]) => [way, ndcg10.toFixed(4)] as const);
    return [name, { questions, ...Object.fromEntries(worths) }] as const;
  });
  console.table(Object.fromEntries(rows));
  if (kinds.length === 1) showMeasures(kinds[0]?.ways ?? {});
}

function showFit(): void {
  process.stdout.write('\n"Nothing fits"\n');
  const rows = Object.entries(collections).flatMap(([name, { fit }]) =>
    Object.entries(fit).map(([way, { answered, lost, offTopic, emptied }]) => [
      `${name}, ${way}`,
      { 'right answers': answered, lost, 'off topic': offTopic, 'told so': emptied },
    ]),
  );
  console.table(Object.fromEntries(rows));
}

function showMeasures(ways: QualityResult['ways']): void {
  const row = ({ ndcg10, recall10, recall100, mrr10 }: Quality) => ({
    'nDCG@10': ndcg10.toFixed(4),
    'recall@10': recall10.toFixed(4),
    'recall@100': recall100.toFixed(4),
    'MRR@10': mrr10.toFixed(4),
  });
  console.table(Object.fromEntries(Object.entries(ways).map(([way, of]) => [way as Way, row(of)])));
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
