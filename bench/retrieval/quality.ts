import type { ProgressDisplay } from '../../src/import-progress.js';
import type { TestCollection } from './beir.js';
import { openLibrary } from './library.js';
import { meanQuality, type Quality, qualityOf } from './metrics.js';
import { createPlainBm25 } from './plain-bm25.js';

const DEPTH = 100;
/** A document may have several passages, of which only the best counts. */
const PASSAGES = 300;

export interface QualityResult {
  readonly documents: number;
  readonly passages: number;
  readonly questions: number;
  readonly service: Quality;
  readonly plain: Quality;
}

type Rank = (question: string) => Promise<readonly string[]> | readonly string[];

/** The service's search beside plain BM25, on the same questions. */
export async function measureQuality(
  collection: TestCollection,
  progress: ProgressDisplay,
  onQuestion?: (id: string, service: Quality, plain: Quality) => void,
): Promise<QualityResult> {
  const { documents, questions } = collection;
  const library = await openLibrary();
  try {
    let passages = 0;
    for (const [at, { id, title, text }] of documents.entries()) {
      const markdown = title === '' ? text : `# ${title.replace(/\s+/g, ' ')}\n\n${text}`;
      passages += await library.add({ name: id, title, markdown });
      progress.show({ title: 'documents', done: at + 1, total: documents.length });
    }
    progress.end();
    const plain = createPlainBm25(documents);
    const bestOf = async (question: string) => {
      const found = await library.ask(question, PASSAGES);
      return [...new Set(found.map(({ metadata }) => metadata.filename))].slice(0, DEPTH);
    };
    const rows: { readonly service: Quality; readonly plain: Quality }[] = [];
    for (const [at, { id, text, judgements }] of questions.entries()) {
      const judge = async (rank: Rank) => qualityOf(await rank(text), judgements);
      const row = { service: await judge(bestOf), plain: await judge((question) => plain(question, DEPTH)) };
      onQuestion?.(id, row.service, row.plain);
      rows.push(row);
      progress.show({ title: 'questions', done: at + 1, total: questions.length });
    }
    progress.end();
    return {
      ...{ documents: documents.length, passages, questions: questions.length },
      service: meanQuality(rows.map(({ service }) => service)),
      plain: meanQuality(rows.map((row) => row.plain)),
    };
  } finally {
    await library.close();
  }
}
