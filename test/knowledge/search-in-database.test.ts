import { expect } from 'chai';
import type { Collection } from '../../src/core/knowledge/collection.js';
import type { Embedder } from '../../src/core/knowledge/embedder.js';
import type { Stores } from '../../src/core/stores.js';
import { createAnalyser } from '../../src/knowledge/analysis/analyser.js';
import { rankByWords } from '../../src/knowledge/search/bm25.js';
import { createSearch } from '../../src/knowledge/search/search.js';
import { storesOn } from '../db/fixtures.js';
import { aCollection, aDocument, claimed, FACTS, passage, section } from '../db/knowledge/library.js';
import { describeOnEachEngine } from '../support/databases.js';

const analyser = createAnalyser();
const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Knows what eight words mean, each with its twin in meaning. */
const MEANINGS = [
  'car automobile',
  'plant herb',
  'king monarch',
  'sea ocean',
  'road street',
  'stone rock',
  'boat ship',
  'house home',
];
const embedder: Embedder = {
  model: 'test:meanings',
  embed: (texts) =>
    Promise.resolve(
      texts.map((text) => {
        const counts = MEANINGS.map((words) => words.split(' ').filter((word) => text.includes(word)).length);
        const length = Math.hypot(...counts);
        return Float32Array.from(counts, (count) => (length === 0 ? Math.sqrt(1 / 8) : count / length));
      }),
    ),
};

/** Numbers from 0 to 1, the same in every run. */
function chances(): () => number {
  let state = 7;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A document in which each text is one passage on a page of its own. */
async function shelve(
  stores: Stores,
  { id }: Collection,
  texts: readonly string[],
  isEmbedded = false,
): Promise<string> {
  const document = await aDocument(stores, id, { filename: 'Book.pdf' });
  const work = await claimed(stores);
  const edition = (await stores.documents.beginEdition(work)) ?? 0;
  await stores.documents.write(edition, {
    sections: texts.map((text, i) =>
      section({
        title: `Book › Chapter ${String(i + 1)}`,
        text: `All of: ${text}`,
        start: i * 9_000,
        end: i * 9_000 + 500,
      }),
    ),
    passages: texts.map((text, i) =>
      passage(text, {
        section: i,
        page: i + 1,
        start: i * 9_000,
        end: i * 9_000 + text.length,
        terms: analyser.termsOf(text, 'en'),
      }),
    ),
  });
  if (isEmbedded) {
    const missing = await stores.vectors.missing(edition, embedder.model, 10_000);
    const vectors = await embedder.embed(
      missing.map(({ text }) => text),
      { kind: 'passage', signal: new AbortController().signal },
    );
    await stores.vectors.write(
      embedder.model,
      missing.map(({ passageId }, i) => ({ passageId, vector: vectors[i] ?? new Float32Array(8) })),
    );
  }
  await stores.documents.publish(work, edition, {
    ...FACTS,
    embeddedWith: isEmbedded ? embedder.model : undefined,
  });
  return document.id;
}

describeOnEachEngine('a search in the database', (open) => {
  let stores: Stores;
  let collection: Collection;
  beforeEach(async () => {
    stores = storesOn(await open());
    collection = await aCollection(stores);
  });

  const ask = async (
    query: string,
    { by, ...wishes }: { by?: Embedder; topK?: number; parentContext?: boolean } = {},
    from = [collection],
  ) => {
    const search = createSearch({
      ...{ passages: stores.passages, documents: stores.documents, log: silent },
      analyse: analyser.questionTerms,
      embedderFor: () => Promise.resolve(by),
    });
    return (
      await search(from, { query, topK: 5, threshold: 0, signal: new AbortController().signal, ...wishes })
    ).passages;
  };
  const texts = (found: readonly { readonly data: string }[]) => found.map(({ data }) => data);

  it('finds a word in another form, and says where it stands', async () => {
    await shelve(stores, collection, ['Two cells divided slowly.', 'A wall of stone.']);

    const [found, ...others] = await ask('How does a CELL divide?', { parentContext: true });

    expect(others).to.deep.equal([]);
    expect(found?.data).to.equal('Two cells divided slowly.');
    expect(found?.metadata).to.deep.include({
      ...{ filename: 'Book.pdf', page: 1, section: 'Book › Chapter 1', chunk_index: 0, start: 0, end: 25 },
      ...{ collection_id: collection.id, parent_text: 'All of: Two cells divided slowly.' },
    });
  });

  it('finds by meaning what words do not, and fuses both', async () => {
    await shelve(
      stores,
      collection,
      [
        'The car stops.',
        'An herb grows.',
        'The monarch rules.',
        'Street and stone.',
        'A ship at sea.',
        'No automobile tax here.',
      ],
      true,
    );

    const byWords = await ask('automobile');
    const fused = await ask('automobile', { by: embedder, topK: 2 });

    expect(texts(byWords)).to.deep.equal(['No automobile tax here.']);
    expect(texts(fused)).to.deep.equal(['No automobile tax here.', 'The car stops.']);
    expect(fused.map(({ reasons }) => Object.keys(reasons ?? {}))).to.deep.equal([
      ['lexical', 'vector'],
      ['vector'],
    ]);
    expect(fused[1]?.similarity).to.be.greaterThan(0.8);
  });

  it('looks in the collections it is given alone, and finds nothing of what was deleted', async () => {
    const other = await aCollection(stores, { name: 'Other' });
    const id = await shelve(stores, collection, ['The car stops.'], true);
    await shelve(stores, other, ['The car goes.'], true);

    const both = await ask('car', { by: embedder }, [collection, other]);
    const one = await ask('car', { by: embedder });
    await stores.documents.delete(collection.id, id);
    const none = await ask('car', { by: embedder });

    expect(texts(both)).to.have.members(['The car stops.', 'The car goes.']);
    expect(texts(one)).to.deep.equal(['The car stops.']);
    expect(none).to.deep.equal([]);
  });

  it('ranks as BM25 over all passages does, though it looks at a part of them', async () => {
    const chance = chances();
    // A few words are everywhere and most are rare, as in a language.
    const word = () =>
      `w${'abcdefghijklmnopqrstuvwxyz'.charAt(chance() * 26)}${String(Math.floor(60 ** chance()))}`;
    const written = Array.from({ length: 1_500 }, () =>
      Array.from({ length: 20 + chance() * 60 }, word).join(' '),
    );
    await shelve(stores, collection, written);
    const frequent = [...new Set(written.join(' ').split(' '))];
    const everything = written.map((text, passageId) => ({
      passageId,
      terms: analyser.termsOf(text, 'en').join(' '),
    }));

    for (const [a, b, c] of [
      [0, 3, 40],
      [1, 2, 5],
      [10, 100, 200],
      [7, 7, 90],
    ] as const) {
      const query = [a, b, c].map((place) => frequent[place]).join(' ');
      const groups = analyser.questionTerms(query, ['en']);
      const statistics = await stores.passages.statistics(
        [collection.id],
        groups.flatMap(({ forms }) => forms),
      );
      const expected = rankByWords(everything, groups, statistics).slice(0, 10);

      const found = await ask(query, { topK: 10 });

      expect(
        found.map(({ similarity }) => similarity),
        query,
      ).to.deep.equal(expected.map(({ similarity }) => similarity));
    }
  });
});
