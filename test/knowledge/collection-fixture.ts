import type { Embedder } from '../../src/core/knowledge/embedder.js';
import type { DocumentStore, PassageIndex } from '../../src/core/knowledge/stores.js';
import type { StoredPassage, StoredSection, TermGroup } from '../../src/core/knowledge/passage.js';
import { createSearch, type SearchDeps } from '../../src/knowledge/search/search.js';

export interface ShelvedPassage {
  readonly text: string;
  readonly collectionId?: string;
  readonly documentId?: string;
  readonly sectionId?: number;
  readonly page?: number;
  readonly section?: string;
  readonly sourceUrl?: string;
  /** English unless told otherwise. */
  readonly language?: string;
  /** What it is about, on two axes. */
  readonly vector?: readonly [number, number];
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[a-z]+/g) ?? [];
const STOP_WORDS = new Set(['the', 'a', 'is', 'what', 'of']);

const analyse = (question: string): readonly TermGroup[] =>
  wordsOf(question)
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => ({ forms: [word] }));

/** Passages in memory, found by their very words and by two-dimensional vectors. */
function shelf(passages: readonly ShelvedPassage[]) {
  const stored = passages.map((passage, i): StoredPassage & Pick<ShelvedPassage, 'vector' | 'language'> => ({
    id: i + 1,
    collectionId: 'col',
    documentId: `doc-${String(i)}`,
    filename: 'Book.pdf',
    sourceUrl: undefined,
    position: i,
    sectionId: 100 + i,
    section: '',
    page: undefined,
    pageEnd: passage.page,
    start: i * 10_000,
    end: i * 10_000 + passage.text.length,
    original: undefined,
    isOff: false,
    isPinned: false,
    ...passage,
  }));
  const within = (ids: readonly string[]) => stored.filter(({ collectionId }) => ids.includes(collectionId));
  const has = (text: string, form: string) => wordsOf(text).includes(form);
  const reads: number[] = [];

  const index: PassageIndex = {
    statistics: (ids, forms) => {
      const all = within(ids);
      const terms = all.reduce((sum, { text }) => sum + wordsOf(text).length, 0);
      const counts = forms.map((form) => [form, all.filter(({ text }) => has(text, form)).length] as const);
      const frequencies = new Map(counts.filter(([, count]) => count > 0));
      return Promise.resolve({ passages: all.length, averageTerms: terms / all.length, frequencies });
    },
    lookalikes: (ids) => {
      const words = new Set(within(ids).flatMap(({ text }) => wordsOf(text)));
      return Promise.resolve(
        new Map([...words].map((word) => [word, within(ids).filter(({ text }) => has(text, word)).length])),
      );
    },
    lexical: ({ collectionIds, groups, limit }) =>
      Promise.resolve(
        within(collectionIds)
          .filter(({ text }) => groups.some(({ forms }) => forms.some((form) => has(text, form))))
          .slice(0, limit)
          .map(({ id, text }) => ({ passageId: id, terms: wordsOf(text).join(' ') })),
      ),
    nearest: ({ collectionIds, vector: [x = 0, y = 0], limit }) =>
      Promise.resolve(
        within(collectionIds)
          .flatMap(({ id, vector: own }) => (own ? [{ passageId: id, cosine: own[0] * x + own[1] * y }] : []))
          .sort((a, b) => b.cosine - a.cosine)
          .slice(0, limit),
      ),
    baseline: () => Promise.resolve(0.5),
    read: (ids) => {
      reads.push(ids.length);
      return Promise.resolve(ids.flatMap((id) => stored.find((one) => one.id === id) ?? []));
    },
    languages: () => Promise.resolve([...new Set(stored.map(({ language = 'en' }) => language))]),
    languagesOf: () => Promise.resolve(new Map(stored.map(({ id, language = 'en' }) => [id, language]))),
  };
  return { index, reads };
}

export const sections = (...known: readonly StoredSection[]): Pick<DocumentStore, 'sections'> => ({
  sections: (ids) => Promise.resolve(known.filter(({ id }) => ids.includes(id))),
});

/** Every question is about the first axis. */
export const anEmbedder = (embed?: Embedder['embed']): Embedder => ({
  model: 'test:plane',
  embed: embed ?? ((texts) => Promise.resolve(texts.map(() => Float32Array.of(1, 0)))),
});

export interface Finding extends Partial<Omit<SearchDeps, 'passages'>> {
  readonly embedder?: Embedder;
}

/** A search over a shelf, with what it logged. */
export function searchOn(passages: readonly ShelvedPassage[], { embedder, ...more }: Finding = {}) {
  const { index, reads } = shelf(passages);
  const logged: string[] = [];
  const note = (_facts: object, message: string) => {
    logged.push(message);
  };
  const search = createSearch({
    passages: index,
    documents: sections(),
    analyse,
    embedderFor: () => Promise.resolve(embedder),
    log: { debug: note, info: note, warn: note, error: note },
    ...more,
  });
  const ask = (query: string, wishes: object = {}, collections = [{ id: 'col', organizationId: 1 }]) =>
    search(collections, {
      ...{ query, topK: 3, threshold: 0, signal: new AbortController().signal },
      ...wishes,
    });
  return { ask, logged, reads };
}
