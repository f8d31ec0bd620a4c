import type { ProgressDisplay } from '../../src/commands/progress.js';
import type { Embedder, FoundPassage } from '../../src/core/knowledge/embedder.js';
import type { TestCollection, TestDocument, TestQuestion } from './beir.js';
import { openFts5 } from './fts5.js';
import { type Ask, type Library, openLibrary } from './library.js';
import { meanQuality, type Quality, qualityOf } from './metrics.js';
import { createPlainBm25 } from './plain-bm25.js';
import { createMistyping } from './typing.js';

const DEPTH = 100;
/** A document may have several passages, of which only the best counts. */
const PASSAGES = 300;
const SEED = 20_261_116;

/** `meaning` and `both` only with embeddings. */
export type Way = 'plain BM25' | 'FTS5' | 'FTS5 porter' | 'words' | 'meaning' | 'both';

/** How well one kind of question is answered. */
export interface QualityResult {
  readonly kind: string;
  readonly questions: number;
  readonly ways: Readonly<Partial<Record<Way, Quality>>>;
}

/** What "nothing fits" does, among the first few passages of each question. */
export interface FitResult {
  /** Questions with a right answer among them, and how many of these were told that nothing fits. */
  readonly answered: number;
  readonly lost: number;
  readonly offTopic: number;
  readonly emptied: number;
}

export interface CollectionResult {
  readonly documents: number;
  readonly passages: number;
  readonly kinds: readonly QualityResult[];
  readonly fit: Readonly<Partial<Record<Way, FitResult>>>;
}

export interface QualityOptions {
  readonly progress: ProgressDisplay;
  readonly embedder: Embedder | undefined;
  readonly onQuestion?: ((id: string, ways: QualityResult['ways']) => void) | undefined;
}

/** The service's search, by each way of looking, beside plain BM25 and FTS5, on the same questions. */
export async function measureQuality(
  collection: TestCollection,
  options: QualityOptions,
): Promise<CollectionResult> {
  const { documents } = collection;
  const library = await openLibrary(options.embedder);
  const fts5 = {
    FTS5: await openFts5('unicode61'),
    'FTS5 porter': await openFts5('porter unicode61'),
  };
  const asOneText = documents.map(({ id, title, text }) => ({ id, text: `${title} ${text}` }));
  for (const one of Object.values(fts5)) await one.add(asOneText);
  const plain = createPlainBm25(documents);
  const others = async (text: string) => ({
    'plain BM25': plain(text, DEPTH),
    FTS5: idsOf(await fts5.FTS5.find(text, DEPTH)),
    'FTS5 porter': idsOf(await fts5['FTS5 porter'].find(text, DEPTH)),
  });
  try {
    const passages = await takeInAll(documents, library, options);
    const kinds: QualityResult[] = [];
    const asked = byKind(collection.questions);
    for (const [kind, questions] of asked) {
      const rows: QualityResult['ways'][] = [];
      for (const [at, question] of questions.entries()) {
        const { id, text, judgements } = question;
        const lists = { ...(await others(text)), ...(await listsOf(library, question, options.embedder)) };
        const row = Object.fromEntries(
          Object.entries(lists).map(([way, list]) => [way, qualityOf(list, judgements)]),
        );
        options.onQuestion?.(id, row);
        rows.push(row);
        options.progress.show({ title: `questions ${kind}`, done: at + 1, total: questions.length });
      }
      options.progress.end();
      kinds.push({ kind, questions: questions.length, ways: means(rows) });
    }
    const every = [...asked.values()].flat();
    const fit = {
      words: await measureFit(library.askByWords, every, collection.offTopic),
      ...(options.embedder ? { both: await measureFit(library.ask, every, collection.offTopic) } : {}),
    };
    return { documents: documents.length, passages, kinds, fit };
  } finally {
    await library.close();
    await Promise.all(Object.values(fts5).map((one) => one.close()));
  }
}

const SHOWN = 5;

async function measureFit(
  ask: Ask,
  questions: readonly TestQuestion[],
  offTopic: readonly TestQuestion[],
): Promise<FitResult> {
  let [answered, lost, emptied] = [0, 0, 0];
  for (const { text, before, judgements } of questions) {
    const found = documentsOf(await ask(text, SHOWN, { before }));
    if (!found.some((id) => (judgements.get(id) ?? 0) > 0)) continue;
    answered += 1;
    if ((await ask(text, SHOWN, { before, onlyFitting: true })).length === 0) lost += 1;
  }
  for (const { text } of offTopic)
    if ((await ask(text, SHOWN, { onlyFitting: true })).length === 0) emptied += 1;
  return { answered, lost, offTopic: offTopic.length, emptied };
}

const TYPING_ERRORS = 'with typing errors';
const CHANGED_TOPIC = 'after another topic';
/** Not mistyped: what has no kind, and what would only be said twice. */
const ONCE_ONLY = new Set(['', 'long', 'follow-up']);

/** The questions of each kind, and short ones once more as somebody in a hurry types them. */
function byKind(questions: readonly TestQuestion[]): ReadonlyMap<string, readonly TestQuestion[]> {
  const kinds = groupedBy(questions, ({ kind }) => kind);
  const clean = [...kinds].filter(([kind]) => !ONCE_ONLY.has(kind)).flatMap(([, those]) => those);
  const mistype = createMistyping(SEED);
  const mistyped = clean.map((question) => ({ ...question, text: mistype(question.text) }));
  // In a conversation that was about something else before.
  const changed = clean.map((question, i) => ({ ...question, before: [clean.at(i - 1)?.text ?? ''] }));
  return clean.length === 0
    ? kinds
    : new Map([...kinds, [TYPING_ERRORS, mistyped], [CHANGED_TOPIC, changed]]);
}

async function takeInAll(
  documents: readonly TestDocument[],
  library: Library,
  { progress }: QualityOptions,
): Promise<number> {
  const names = groupedBy(documents, ({ id, page }) => page?.document ?? id);
  let passages = 0;
  let done = 0;
  for (const [name, pages] of names) {
    const title = pages[0]?.title ?? '';
    passages += await library.add({
      ...{ name, title },
      pages: pages.map(({ text, page }) => ({
        page: page?.number,
        markdown: page || title === '' ? text : `# ${title.replace(/\s+/g, ' ')}\n\n${text}`,
      })),
    });
    done += 1;
    progress.show({ title: 'documents', done, total: names.size });
  }
  progress.end();
  return passages;
}

function means(rows: readonly QualityResult['ways'][]): QualityResult['ways'] {
  const ways = Object.keys(rows[0] ?? {}) as Way[];
  return Object.fromEntries(ways.map((way) => [way, meanQuality(rows.map((row) => row[way] as Quality))]));
}

async function listsOf(
  library: Library,
  { text, before }: TestQuestion,
  embedder: Embedder | undefined,
): Promise<Partial<Record<Way, readonly string[]>>> {
  const words = documentsOf(await library.askByWords(text, PASSAGES, { before }));
  if (!embedder) return { words };
  const both = await library.ask(text, PASSAGES, { before });
  // What meaning alone says can be read off what was found together: each passage tells its place there.
  const placeOf = ({ reasons }: FoundPassage) => reasons?.vector?.rank ?? Infinity;
  const near = both.filter((found) => placeOf(found) < Infinity).sort((a, b) => placeOf(a) - placeOf(b));
  return { words, meaning: documentsOf(near), both: documentsOf(both) };
}

/** By their ids in the collection: of a paged document that of the page the citation names. */
function documentsOf(found: readonly FoundPassage[]): readonly string[] {
  const ids = found.map(({ metadata: { filename, page } }) =>
    page === undefined ? filename : `${filename}/${String(page)}`,
  );
  return [...new Set(ids)].slice(0, DEPTH);
}

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const idsOf = (documents: readonly { readonly id: string }[]) => documents.map(({ id }) => id);
