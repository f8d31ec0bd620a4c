import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Collection } from '../../../src/core/knowledge/collection.js';
import type { Work } from '../../../src/core/knowledge/document.js';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';
import { anEmbeddedDocument, aVector, MODEL } from './embedded.js';
import { aCollection, aReadDocument, claimed, find } from './library.js';

const NEW = 'fake:two';

describeOnEachEngine('a change of the model', (open) => {
  let db: Knex;
  let stores: Stores;
  let collection: Collection;
  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    collection = await aCollection(stores);
  });
  const modelsOf = async () => {
    const rows: { model: string }[] = await db('passage_vectors').select('model').orderBy('passage_id');
    return rows.map(({ model }) => model);
  };
  const embedAnew = async (work: Work) => {
    const edition = (await stores.vectors.liveEdition(work))!;
    const missing = await stores.vectors.missing(edition, NEW, 100);
    const vectors = missing.map(({ passageId }, i) => ({ passageId, vector: aVector(i + 50) }));
    await stores.vectors.write(NEW, vectors);
  };

  it('queues the documents of that organisation with vectors of another model, or with none', async () => {
    const stranger = await aCollection(stores, { owner: await aUser(stores) });
    const other = await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    const none = await aReadDocument(stores, collection.id, ['cell wall']);
    await anEmbeddedDocument(stores, collection.id, [aVector(1)], NEW);
    await anEmbeddedDocument(stores, stranger.id, [aVector(1)]);

    const count = await stores.vectors.queueOutdated(collection.organizationId, NEW);

    const works = [await claimed(stores), await claimed(stores)];
    expect(count).to.equal(2);
    expect(works.map(({ kind }) => kind)).to.deep.equal(['embed', 'embed']);
    expect(works.map(({ document }) => document.id)).to.have.members([other.id, none.id]);
    expect(await stores.documents.claim({ ms: 1000 })).to.equal(undefined);
  });

  it('tells how many documents have vectors of the new one, and how many wait for them', async () => {
    const { organizationId, id } = collection;
    await anEmbeddedDocument(stores, id, [aVector(1)]);
    await anEmbeddedDocument(stores, id, [aVector(1)], NEW);
    const before = await stores.vectors.progress(organizationId, NEW);
    await stores.vectors.queueOutdated(organizationId, NEW);
    const after = await stores.vectors.progress(organizationId, NEW);
    const sizes = await stores.collections.sizes([id]);

    expect(before).to.deep.equal({ documents: 2, embedded: 1, waiting: 0 });
    expect(after).to.deep.equal({ documents: 2, embedded: 1, waiting: 1 });
    expect(sizes.get(id)).to.deep.equal({ documents: 2, passages: 2, awaitingVectors: 1 });
    const [found] = await stores.passages.nearest({
      ...{ collectionIds: [id], model: NEW, vector: aVector(1), limit: 1 },
    });
    expect([...(await stores.passages.languagesOf([found!.passageId])).values()]).to.have.length(1);
  });

  it('queues nothing twice', async () => {
    await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    await stores.vectors.queueOutdated(collection.organizationId, NEW);

    expect(await stores.vectors.queueOutdated(collection.organizationId, NEW)).to.equal(0);
  });

  it('leaves a document to be found by its words, and by no vector of the new model, until it has them', async () => {
    await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    await stores.vectors.queueOutdated(collection.organizationId, NEW);
    await claimed(stores);

    const question = { collectionIds: [collection.id], model: NEW, vector: aVector(1), limit: 5 };
    expect(await stores.passages.nearest(question)).to.deep.equal([]);
    expect(await find(stores, [collection.id], 'passage')).to.deep.equal(['passage 0']);
  });

  it('keeps the old vectors until the new ones are complete, and then only the new ones', async () => {
    const { id } = await anEmbeddedDocument(stores, collection.id, [aVector(1), aVector(2)]);
    await stores.vectors.queueOutdated(collection.organizationId, NEW);
    const work = await claimed(stores);
    await embedAnew(work);
    const meanwhile = await modelsOf();

    const isDone = await stores.vectors.complete(work, NEW);

    expect(meanwhile).to.have.members([MODEL, MODEL, NEW, NEW]);
    expect(isDone).to.equal(true);
    expect(await modelsOf()).to.deep.equal([NEW, NEW]);
    expect(
      (await db('vector_pages').distinct('model')).map((row: { model: string }) => row.model),
    ).to.deep.equal([NEW]);
    expect(await stores.documents.get(collection.id, id)).to.include({ status: 'ready', embeddedWith: NEW });
    expect(await stores.vectors.queueOutdated(collection.organizationId, NEW)).to.equal(0);
  });

  it('takes all vectors away when there is to be no model any more', async () => {
    const { id } = await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    await stores.vectors.queueOutdated(collection.organizationId, NEW);
    const work = await claimed(stores);

    await stores.vectors.complete(work, undefined);

    expect(await modelsOf()).to.deep.equal([]);
    expect((await stores.documents.get(collection.id, id))?.embeddedWith).to.equal(undefined);
  });

  it('is not completed by somebody who has lost the document', async () => {
    const { id } = await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    await stores.vectors.queueOutdated(collection.organizationId, NEW);
    const work = await claimed(stores);
    await embedAnew(work);
    await stores.documents.requeue(collection.id, id);

    expect(await stores.vectors.complete(work, NEW)).to.equal(false);
    expect(await stores.vectors.liveEdition(work)).to.equal(undefined);
    expect(await modelsOf()).to.have.members([MODEL, NEW]);
  });

  it('goes on where it was left: passages with a vector are not asked for again', async () => {
    await anEmbeddedDocument(stores, collection.id, [aVector(1), aVector(2), aVector(3)]);
    await stores.vectors.queueOutdated(collection.organizationId, NEW);
    const edition = (await stores.vectors.liveEdition(await claimed(stores)))!;
    const [first] = await stores.vectors.missing(edition, NEW, 1);
    await stores.vectors.write(NEW, [{ passageId: first!.passageId, vector: aVector(9) }]);

    const missing = await stores.vectors.missing(edition, NEW, 10);

    expect(missing.map(({ text }) => text)).to.deep.equal(['passage 1', 'passage 2']);
  });

  it('writes no vector for a passage that is gone', async () => {
    const { id, passageIds } = await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    await stores.documents.delete(collection.id, id);
    await stores.documents.sweep();

    await stores.vectors.write(NEW, [{ passageId: passageIds[0]!, vector: aVector(1) }]);

    expect(await modelsOf()).to.deep.equal([]);
  });
});
