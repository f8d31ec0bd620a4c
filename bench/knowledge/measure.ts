import { join } from 'node:path';
import { CONTENDER_CORE, LOAD_CORE, startNode } from '../processes.js';
import { type AskingSettings, measureAsking } from './asking.js';
import { DIMENSIONS, type Finder, startBellwether, startFts5, startPgvector } from './contenders.js';
import { type CorpusPart, createCorpus, type KnownQuestion } from './corpus.js';
import type { KnowledgeRow } from './report.js';

export interface KnowledgeBench {
  readonly sizes: readonly number[];
  readonly asking: AskingSettings;
  /** To be thrown away in the end. */
  readonly folder: string;
  say(line: string): void;
}

/** More than anybody answers in the time. */
const QUESTIONS = 20_000;
/** How fast documents are taken in is measured up to this size, one contender after the other; above it all do so at once. */
const LARGEST_TIMED = 10_000;

const WORDS = 'Bellwether, words';
const FTS5 = 'FTS5';
const BOTH = 'Bellwether, words and meaning';
const PGVECTOR = 'pgvector';

/** One knowledge base of each contender that grows through all sizes. */
export async function measureKnowledge(bench: KnowledgeBench) {
  const { sizes, asking, folder, say } = bench;
  const model = await startNode(['bench/knowledge/embedding-server.ts', String(DIMENSIONS)], {
    core: LOAD_CORE,
  });
  const fts5 = await startFts5(folder);
  const pgvector = await startPgvector(model.url);
  const stage: Stage = { modelUrl: model.url, folder, fts5, pgvector };
  try {
    const corpus = createCorpus();
    const rows: KnowledgeRow[] = [];
    let collection: string | undefined;
    for (const size of sizes) {
      const part = corpus.growTo(size);
      say(`${String(size)} passages are made up`);
      const taken = await takeIn(stage, { part, size, collection });
      collection = taken.collection;
      say(`${String(size)} passages are taken in`);
      for await (const { finder, asked } of askAll(stage, collection, corpus.questions(QUESTIONS), asking)) {
        rows.push({ passages: size, finder, pagesPerSecond: taken.rates[finder] ?? null, asked });
        say(`${String(size)} passages: ${finder}`);
      }
    }
    const skipped = pgvector
      ? []
      : ['There is no PostgreSQL with pgvector on this machine: it was left out.'];
    return { rows, skipped };
  } finally {
    await pgvector?.stop();
    await fts5.stop();
    await model.stop();
  }
}

interface Stage {
  readonly modelUrl: string;
  readonly folder: string;
  readonly fts5: Finder;
  readonly pgvector: Finder | undefined;
}

interface Step {
  readonly part: CorpusPart;
  readonly size: number;
  /** Of the service, where it was made before. */
  readonly collection: string | undefined;
}

/** Everybody takes in the same; pages a second by the name of the finder. */
async function takeIn({ modelUrl, folder, fts5, pgvector }: Stage, { part, size, collection }: Step) {
  const isTimed = size <= LARGEST_TIMED;
  const service = await startBellwether(modelUrl, {
    ...{ dataDir: dataDirIn(folder), collection, byMeaning: true },
    core: isTimed ? CONTENDER_CORE : LOAD_CORE,
  });
  const rates: Record<string, number> = {};
  try {
    if (isTimed) {
      rates[BOTH] = await rateOf(service, part);
      rates[WORDS] = await rateByWords(modelUrl, join(folder, `words-${String(size)}`), part);
      rates[FTS5] = await rateOf(fts5, part);
      if (pgvector) rates[PGVECTOR] = await rateOf(pgvector, part);
    } else {
      const others = fts5.takeIn(part).then(() => pgvector?.takeIn(part));
      await Promise.all([service.takeIn(part), others]);
    }
    return { rates, collection: service.collection };
  } finally {
    await service.stop();
  }
}

const dataDirIn = (folder: string) => join(folder, 'service');

/** By a service that is used for nothing else: vectors come with the documents, or not at all. */
async function rateByWords(modelUrl: string, dataDir: string, part: CorpusPart): Promise<number> {
  const service = await startBellwether(modelUrl, { dataDir, byMeaning: false });
  return await rateOf(service, part).finally(() => service.stop());
}

/** Pages a second, until all can be found. */
async function rateOf(finder: Finder, part: CorpusPart): Promise<number> {
  const since = performance.now();
  await finder.takeIn(part);
  return part.pages / ((performance.now() - since) / 1_000);
}

/** One after the other, nobody else being asked meanwhile. */
async function* askAll(
  { modelUrl, folder, fts5, pgvector }: Stage,
  collection: string,
  questions: readonly KnownQuestion[],
  asking: AskingSettings,
) {
  const askService = async (byMeaning: boolean) => {
    const service = await startBellwether(modelUrl, { dataDir: dataDirIn(folder), collection, byMeaning });
    return await measureAsking(service, questions, asking).finally(() => service.stop());
  };
  yield { finder: WORDS, asked: await askService(false) };
  yield { finder: FTS5, asked: await measureAsking(fts5, questions, asking) };
  yield { finder: BOTH, asked: await askService(true) };
  if (pgvector) yield { finder: PGVECTOR, asked: await measureAsking(pgvector, questions, asking) };
}
