import { expect } from 'chai';
import type { Collection } from '../../../src/core/knowledge/collection.js';
import type { TestRun } from '../../../src/core/knowledge/questions.js';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { storesOn } from '../fixtures.js';
import { aCollection, ALL } from './library.js';

const RUN: Omit<TestRun, 'id' | 'at'> = {
  ...{ reason: 'request', topK: 5, embeddings: undefined, asked: 2, found: 1, mrr: 0.25 },
  ranks: { a: 2, b: null },
};
const content = (question: string) => ({
  ...{ question, targets: [{ documentId: 'd', filename: 'f', page: 3, text: 'Cells.' }] },
});

describeOnEachEngine('questions of a collection', (open) => {
  let stores: Stores;
  let collection: Collection;
  beforeEach(async () => {
    stores = storesOn(await open());
    collection = await aCollection(stores);
  });

  it('for testing are kept with what they should find, and no more than so many', async () => {
    const { testQuestions } = stores;
    const made = await testQuestions.add(collection.id, content('What?'), 2);
    await testQuestions.add(collection.id, content('Why?'), 2);

    expect(await testQuestions.add(collection.id, content('How?'), 2)).to.equal('too many');
    expect(await testQuestions.add('nowhere', content('How?'), 2)).to.equal(undefined);
    expect(made).to.deep.include(content('What?'));
    if (typeof made !== 'object') return;
    const changed = await testQuestions.replace(collection.id, made.id, content('Where?'));
    expect(changed).to.deep.include(content('Where?'));
    const elsewhere = await aCollection(stores);
    expect(await testQuestions.replace(elsewhere.id, made.id, content('x'))).to.equal(undefined);
    expect(await testQuestions.delete(elsewhere.id, made.id)).to.equal(false);
    expect(await testQuestions.delete(collection.id, made.id)).to.equal(true);
    expect((await testQuestions.list(collection.id)).map(({ question }) => question)).to.deep.equal(['Why?']);
  });

  it('keep their newest runs', async () => {
    const { testQuestions } = stores;
    for (const found of [0, 1, 2]) await testQuestions.addRun(collection.id, { ...RUN, found }, 2);

    const runs = await testQuestions.runs(collection.id, 10);

    expect(runs.map(({ found }) => found)).to.deep.equal([2, 1]);
    expect(runs[0]).to.deep.include({ ...RUN, found: 2 });
    expect(await testQuestions.addRun('nowhere', RUN, 2)).to.equal(undefined);
  });

  it('that were asked in vain are counted, the oldest go first, and all go with their date', async () => {
    const { vainQuestions } = stores;
    const asked = (normalised: string, expiresAt = '2099-01-01T00:00:00.000Z') =>
      vainQuestions.add(
        { collectionId: collection.id, normalised, question: `${normalised}?`, count: 1, expiresAt },
        2,
      );
    await asked('old');
    await asked('often');
    await asked('often');
    await asked('new', '2020-01-01T00:00:00.000Z');

    const { data } = await vainQuestions.list(collection.id, ALL);
    expect(data.map(({ question, count }) => [question, count])).to.have.deep.members([
      ['new?', 1],
      ['often?', 2],
    ]);
    expect(await vainQuestions.sweep(new Date().toISOString())).to.equal(1);
    const [left] = (await vainQuestions.list(collection.id, ALL)).data;
    expect(await vainQuestions.delete(collection.id, left?.id ?? 0)).to.equal(true);
    expect((await vainQuestions.list(collection.id, ALL)).data).to.deep.equal([]);
  });

  it('go with their collection', async () => {
    await stores.testQuestions.add(collection.id, content('What?'), 2);
    await stores.collections.delete(collection.id);

    expect(await stores.testQuestions.list(collection.id)).to.deep.equal([]);
  });
});
