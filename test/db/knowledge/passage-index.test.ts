import { expect } from 'chai';
import type { Knex } from 'knex';
import { candidateQueries } from '../../../db/knowledge/terms.js';
import type { Collection } from '../../../src/core/knowledge/collection.js';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { storesOn } from '../fixtures.js';
import { aCollection, aDocument, aReadDocument, claimed, FACTS, find, passage, section } from './library.js';

describeOnEachEngine('the index of passages', (open) => {
  let db: Knex;
  let stores: Stores;
  let collection: Collection;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    collection = await aCollection(stores);
  });
  const found = (words: string, limit?: number) => find(stores, [collection.id], words, limit);
  const frequencies = async (ids: readonly string[], forms: readonly string[]) => {
    const statistics = await stores.passages.statistics(ids, forms);
    return { ...statistics, frequencies: Object.fromEntries(statistics.frequencies) };
  };

  it('finds what has any of the words, the one with more and rarer ones first', async () => {
    const texts = ['cell cell wall', 'cell moon', 'wall', ...Array<string>(20).fill('cell of something')];
    await aReadDocument(stores, collection.id, texts);

    const answer = await found('moon cell', 3);

    expect(answer[0]).to.equal('cell moon');
    expect(answer[1]).to.equal('cell cell wall');
    expect(answer).to.have.length(3);
    expect(await found('wall')).to.have.members(['wall', 'cell cell wall']);
    expect(await found('nothing')).to.deep.equal([]);
  });

  it('tells the terms that begin, go on or end so and are about so long, in these collections alone', async () => {
    const other = await aCollection(stores);
    await aReadDocument(stores, collection.id, ['mitochondria sugar', 'mitochondria mite maltose']);
    await aReadDocument(stores, other.id, ['mitochondrial mite']);
    const length = { shortest: 3, longest: 12 };
    const alike = async (...looks: object[]) =>
      [
        ...(await stores.passages.lookalikes(
          [collection.id],
          looks.map((look) => ({ prefix: 'm', ...length, ...look })),
        )),
      ].sort();

    expect(await alike({ prefix: 'mi' })).to.deep.equal([
      ['mite', 1],
      ['mitochondria', 2],
    ]);
    expect(await alike({ prefix: 'mi', shortest: 5 })).to.deep.equal([['mitochondria', 2]]);
    expect(await alike({ infix: 'lto' }, { suffix: 'ria' })).to.deep.equal([
      ['maltose', 1],
      ['mitochondria', 2],
    ]);
    expect(await alike({ prefix: 'mitx' }, { suffix: 'itochondria', longest: 11 })).to.deep.equal([]);
  });

  it('gives the terms of what it finds, for a finer ranking', async () => {
    await aReadDocument(stores, collection.id, ['cell wall cell']);
    const statistics = await stores.passages.statistics([collection.id], ['cell']);

    const [candidate] = await stores.passages.lexical({
      ...{ collectionIds: [collection.id], groups: [{ forms: ['cell', 'zell'] }], statistics, limit: 5 },
    });

    expect(candidate?.terms).to.equal('cell wall cell');
  });

  it('looks in the collections that are asked for and in no other', async () => {
    const other = await aCollection(stores);
    await aReadDocument(stores, collection.id, ['cell here']);
    await aReadDocument(stores, other.id, ['cell there', 'cell where']);

    expect(await found('cell')).to.deep.equal(['cell here']);
    expect(await find(stores, [collection.id, other.id], 'cell')).to.have.length(3);
    expect(await find(stores, ['nowhere'], 'cell')).to.deep.equal([]);
    expect(await find(stores, [], 'cell')).to.deep.equal([]);
  });

  it('takes a word of any letters, digits or signs for that word and nothing else', async () => {
    const words = [
      'zellkern',
      'ёлка',
      '細胞',
      'ﬁ',
      '2024',
      "o'neil",
      'a"b',
      'c\\d',
      'e_f',
      'not',
      'near',
      '𝒳𝒴',
      '__proto__',
    ];
    await aReadDocument(stores, collection.id, words);

    for (const word of words) expect(await found(word), word).to.deep.equal([word]);
    for (const trick of ['"', "'", 'ze*', 'a OR b', '^cell', ':', '\\', '', '\0'])
      expect(await found(trick), trick).to.deep.equal([]);
  });

  it('keeps texts as they are, and leaves out words that no database can index', async () => {
    const text = 'Half \uD83D a pair, \0 and a very long word';
    const { id } = await aDocument(stores, collection.id);
    const work = await claimed(stores);
    const edition = (await stores.documents.beginEdition(work))!;
    const terms = ['half', 'x'.repeat(5_000), '', 'two words', '\uD83D', '\0', 'pair'];
    await stores.documents.write(edition, {
      sections: [section({ text })],
      passages: [passage(text, { terms }), passage('many', { terms: Array<string>(20_000).fill('many') })],
    });
    await stores.documents.publish(work, edition, FACTS);

    const stored = await stores.documents.passage(collection.id, id, 0);

    expect(stored?.text.startsWith('Half ')).to.equal(true);
    expect(await found('pair')).to.deep.equal([stored?.text]);
    expect(await found('many')).to.deep.equal(['many']);
    expect(await frequencies([collection.id], ['half', 'pair', 'two'])).to.deep.equal({
      ...{ passages: 2, averageTerms: 10_001, frequencies: { half: 1, pair: 1 } },
    });
  });

  it('is not crowded out by what is deleted and not yet swept up', async () => {
    const dead = await aReadDocument(stores, collection.id, Array<string>(60).fill('cell cell cell'));
    await aReadDocument(stores, collection.id, ['cell of a long and winding passage', 'cell too']);

    await stores.documents.delete(collection.id, dead.id);

    expect(await found('cell', 2)).to.have.members(['cell of a long and winding passage', 'cell too']);
  });

  it('counts words over all the collections that are asked for', async () => {
    const other = await aCollection(stores);
    await aReadDocument(stores, collection.id, ['cell cell wall', 'wall']);
    await aReadDocument(stores, other.id, ['cell of one kind more']);

    expect(await frequencies([collection.id, other.id], ['cell', 'wall', 'none'])).to.deep.equal({
      ...{ passages: 3, averageTerms: 3, frequencies: { cell: 2, wall: 2 } },
    });
    expect(await frequencies([other.id], ['cell', ''])).to.deep.equal({
      ...{ passages: 1, averageTerms: 5, frequencies: { cell: 1 } },
    });
    expect(await frequencies(['nowhere'], ['cell'])).to.deep.equal({
      ...{ passages: 0, averageTerms: 0, frequencies: {} },
    });
  });

  it('reads passages in the order of the ids, without those that are gone', async () => {
    const kept = await aReadDocument(stores, collection.id, ['one', 'two']);
    const gone = await aReadDocument(stores, collection.id, ['three']);
    const idOf = async (document: string, position: number) =>
      (await stores.documents.passage(collection.id, document, position))!.id;
    const [one, two, three] = [await idOf(kept.id, 0), await idOf(kept.id, 1), await idOf(gone.id, 0)];
    await stores.documents.delete(collection.id, gone.id);

    const read = await stores.passages.read([two, three, 999_999, -1, 2 ** 40, one]);

    expect(read.map(({ text }) => text)).to.deep.equal(['two', 'one']);
  });

  it('knows the languages of what can be found', async () => {
    for (const language of ['es', 'en', 'es']) {
      await aDocument(stores, collection.id);
      const work = await claimed(stores);
      const edition = (await stores.documents.beginEdition(work))!;
      await stores.documents.publish(work, edition, { ...FACTS, language });
    }
    await aDocument(stores, collection.id);

    expect(await stores.passages.languages([collection.id])).to.deep.equal(['en', 'es']);
    expect(await stores.passages.languages([])).to.deep.equal([]);
  });
});

describe('the words that candidates are looked for by', () => {
  const groups = [['common', 'gemein'], ['rare'], ['everywhere'], ['unknown']].map((forms) => ({ forms }));
  const chosen = (counts: Record<string, number>) =>
    candidateQueries(groups, { passages: 100_000, frequencies: new Map(Object.entries(counts)) }).map(
      (query) => query.map((wanted) => wanted.map(({ forms }) => forms)),
    );

  it('are all that are in the index, while that is little to look through', () => {
    expect(chosen({ everywhere: 90, common: 50, gemein: 2, rare: 7 })).to.deep.equal([
      [[['rare']], [['common', 'gemein']], [['everywhere']]],
    ]);
  });

  it('are the rare ones, and two of the commoner ones together', () => {
    expect(chosen({ everywhere: 9_000, common: 4_000, rare: 7 })).to.deep.equal([
      [[['rare']], [['common'], ['everywhere']]],
      [[['common']]],
    ]);
  });

  it('leave out what is in every other passage while there is a rarer one', () => {
    expect(chosen({ everywhere: 90_000, common: 50_000, rare: 7 })).to.deep.equal([[[['rare']]]]);
  });

  it('are all of them together where each is common, and then the rarest', () => {
    expect(chosen({ everywhere: 90_000, common: 50_000, gemein: 4_000 })).to.deep.equal([
      [[['common', 'gemein'], ['everywhere']]],
      [[['common', 'gemein']]],
    ]);
    expect(chosen({ everywhere: 90_000 })).to.deep.equal([[[['everywhere']]]]);
  });

  it('are none when the index has none of them', () => {
    expect(chosen({})).to.deep.equal([]);
  });
});
