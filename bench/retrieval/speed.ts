import { setImmediate } from 'node:timers/promises';
import type { ProgressDisplay } from '../../src/commands/progress.js';
import { median, percentile } from '../statistics.js';
import { type Library, openLibrary } from './library.js';
import { createZipfText, type ZipfText } from './zipf-text.js';

const DOCUMENT_CHARACTERS = 60_000;
const WARM_UPS = 10;
const QUESTIONS = 150;
const TOP_K = 5;
const SEED = 20_261_115;

export interface Latency {
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Of the process, all its threads, for one question: what holds when the machine has other things to do. */
  readonly cpuMs: number;
}

export interface SpeedResult {
  readonly passages: number;
  /** From text to being found, up to this size. */
  readonly passagesPerSecond: number;
  readonly passagesPerCpuSecond: number;
  readonly megabytesPerSecond: number;
  readonly quiet: Latency;
  /** Its CPU is that of the ingestion as well. */
  readonly whileIngesting: Latency;
  readonly peakMemoryMb: number;
}

/** One library that grows through all sizes, asked at each of them. */
export async function measureSpeed(
  sizes: readonly number[],
  progress: ProgressDisplay,
): Promise<SpeedResult[]> {
  const library = await openLibrary();
  const text = createZipfText(SEED);
  const results: SpeedResult[] = [];
  let passages = 0;
  try {
    for (const size of sizes) {
      const before = passages;
      let characters = 0;
      const since = performance.now();
      const used = process.cpuUsage();
      while (passages < size) {
        const wanted = Math.min(DOCUMENT_CHARACTERS, (size - passages) * 900);
        const added = await addOne(library, text, wanted);
        passages += added.passages;
        characters += added.characters;
        progress.show({ title: 'passages', done: Math.min(passages, size), total: size });
      }
      const seconds = (performance.now() - since) / 1_000;
      const cpuSeconds = cpuMsSince(used) / 1_000;
      progress.end();
      const quiet = await askMany(library, text);
      const busy = await whileIngesting(library, text, () => askMany(library, text));
      results.push({
        passages,
        passagesPerSecond: (passages - before) / seconds,
        passagesPerCpuSecond: (passages - before) / cpuSeconds,
        megabytesPerSecond: characters / seconds / 1e6,
        quiet,
        whileIngesting: busy.result,
        peakMemoryMb: process.resourceUsage().maxRSS / 1_024,
      });
      passages += busy.passages;
    }
    return results;
  } finally {
    await library.close();
  }
}

async function addOne(library: Library, text: ZipfText, wanted: number) {
  const markdown = text.document(wanted);
  const passages = await library.add({
    name: 'zipf.md',
    title: '',
    pages: [{ page: undefined, markdown }],
  });
  return { passages, characters: markdown.length };
}

async function askMany(library: Library, text: ZipfText): Promise<Latency> {
  const times: number[] = [];
  const used = process.cpuUsage();
  for (let asked = 0; asked < WARM_UPS + QUESTIONS; asked++) {
    const question = text.question();
    const since = performance.now();
    await library.ask(question, TOP_K);
    if (asked >= WARM_UPS) times.push(performance.now() - since);
    await setImmediate();
  }
  const cpuMs = cpuMsSince(used) / (WARM_UPS + QUESTIONS);
  return { medianMs: median(times), p95Ms: percentile(times, 95), cpuMs };
}

function cpuMsSince(used: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(used);
  return (user + system) / 1_000;
}

/** In this process and at the same time, as in the service. */
async function whileIngesting<T>(library: Library, text: ZipfText, work: () => Promise<T>) {
  let isOver = false;
  const ingest = async () => {
    let passages = 0;
    while (!isOver) passages += (await addOne(library, text, DOCUMENT_CHARACTERS)).passages;
    return passages;
  };
  const ingested = ingest();
  try {
    return { result: await work(), passages: await end() };
  } finally {
    isOver = true;
    await ingested;
  }

  function end(): Promise<number> {
    isOver = true;
    return ingested;
  }
}
