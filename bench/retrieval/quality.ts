import type { ProgressDisplay } from '../../src/commands/progress.js';
import type { Embedder, FoundPassage } from '../../src/core/knowledge/embedder.js';
import type { TestCollection } from './beir.js';
import { type Library, openLibrary } from './library.js';
import { meanQuality, type Quality, qualityOf } from './metrics.js';
import { createPlainBm25 } from './plain-bm25.js';

const DEPTH = 100;
/** A document may have several passages, of which only the best counts. */
const PASSAGES = 300;

/** `meaning` and `both` only with embeddings. */
export type Way = 'plain BM25' | 'words' | 'meaning' | 'both';

export interface QualityResult {
  readonly documents: number;
  readonly passages: number;
  readonly questions: number;
  readonly embeddings: string | null;
  readonly ways: Readonly<Partial<Record<Way, Quality>>>;
}

export interface QualityOptions {
  readonly progress: ProgressDisplay;
  readonly embedder: Embedder | undefined;
  readonly onQuestion?: ((id: string, ways: QualityResult['ways']) => void) | undefined;
}

/** The service's search, by each way of looking, beside plain BM25, on the same questions. */
export async function measureQuality(
  { documents, questions }: TestCollection,
  { progress, embedder, onQuestion }: QualityOptions,
): Promise<QualityResult> {
  const library = await openLibrary(embedder);
  try {
    let passages = 0;
    for (const [at, { id, title, text }] of documents.entries()) {
      const markdown = title === '' ? text : `# ${title.replace(/\s+/g, ' ')}\n\n${text}`;
      passages += await library.add({ name: id, title, markdown });
      progress.show({ title: 'documents', done: at + 1, total: documents.length });
    }
    progress.end();
    const plain = createPlainBm25(documents);
    const rows: QualityResult['ways'][] = [];
    for (const [at, { id, text, judgements }] of questions.entries()) {
      const lists = { 'plain BM25': plain(text, DEPTH), ...(await listsOf(library, text, embedder)) };
      const row = Object.fromEntries(
        Object.entries(lists).map(([way, list]) => [way, qualityOf(list, judgements)]),
      );
      onQuestion?.(id, row);
      rows.push(row);
      progress.show({ title: 'questions', done: at + 1, total: questions.length });
    }
    progress.end();
    const ways = Object.keys(rows[0] ?? {}) as Way[];
    return {
      ...{ documents: documents.length, passages, questions: questions.length },
      embeddings: embedder?.model ?? null,
      ways: Object.fromEntries(ways.map((way) => [way, meanQuality(rows.map((row) => row[way] as Quality))])),
    };
  } finally {
    await library.close();
  }
}

async function listsOf(
  library: Library,
  question: string,
  embedder: Embedder | undefined,
): Promise<Partial<Record<Way, readonly string[]>>> {
  const words = documentsOf(await library.askByWords(question, PASSAGES));
  if (!embedder) return { words };
  const both = await library.ask(question, PASSAGES);
  // What meaning alone says can be read off what was found together: each passage tells its place there.
  const placeOf = ({ reasons }: FoundPassage) => reasons?.vector?.rank ?? Infinity;
  const near = both.filter((found) => placeOf(found) < Infinity).sort((a, b) => placeOf(a) - placeOf(b));
  return { words, meaning: documentsOf(near), both: documentsOf(both) };
}

function documentsOf(found: readonly FoundPassage[]): readonly string[] {
  return [...new Set(found.map(({ metadata }) => metadata.filename))].slice(0, DEPTH);
}
