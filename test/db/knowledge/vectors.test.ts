import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Collection } from '../../../src/core/knowledge/collection.js';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { storesOn } from '../fixtures.js';
import { anEmbeddedDocument, aVector, between, MODEL } from './embedded.js';
import { aCollection, aDocument, claimed, passage, section } from './library.js';

describeOnEachEngine('the nearest passages', (open) => {
  let db: Knex;
  let stores: Stores;
  let collection: Collection;
  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    collection = await aCollection(stores);
  });
  const nearest = (vector: Float32Array, more: { ids?: string[]; model?: string; limit?: number } = {}) => {
    const { ids = [collection.id], model = MODEL, limit = 10 } = more;
    return stores.passages.nearest({ collectionIds: ids, model, vector, limit });
  };
  const idsOf = (found: readonly { readonly passageId: number }[]) => found.map(({ passageId }) => passageId);

  it('come best first, with the cosine of the vectors themselves', async () => {
    const [target, other] = [aVector(1), aVector(2)];
    const vectors = [0.2, 1, 0.7, 0.5].map((share) => between(target, other, share));
    const { passageIds } = await anEmbeddedDocument(stores, collection.id, vectors);

    const found = await nearest(target, { limit: 3 });

    expect(idsOf(found)).to.deep.equal([passageIds[1], passageIds[2], passageIds[3]]);
    expect(found[0]?.cosine).to.be.closeTo(1, 1e-5);
    expect(found[1]?.cosine).to.be.closeTo(cosine(target, vectors[2]!), 1e-5);
  });

  it('are those of the asked collections alone', async () => {
    const elsewhere = await aCollection(stores);
    const here = await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    const there = await anEmbeddedDocument(stores, elsewhere.id, [aVector(1)]);

    const found = await nearest(aVector(1));
    const foundInBoth = await nearest(aVector(1), { ids: [collection.id, elsewhere.id] });

    expect(idsOf(found)).to.deep.equal(here.passageIds);
    expect(idsOf(foundInBoth)).to.have.members([...here.passageIds, ...there.passageIds]);
    expect(await nearest(aVector(1), { ids: [] })).to.deep.equal([]);
  });

  it('are those of the asked model alone, also when vectors of that name have another length', async () => {
    await anEmbeddedDocument(stores, collection.id, [aVector(1)], 'fake:other');
    await anEmbeddedDocument(stores, collection.id, [aVector(1, 128)]);
    const { passageIds } = await anEmbeddedDocument(stores, collection.id, [aVector(1)]);

    expect(idsOf(await nearest(aVector(1)))).to.deep.equal(passageIds);
  });

  it('are not found before their edition is published', async () => {
    await aDocument(stores, collection.id);
    const work = await claimed(stores);
    const edition = (await stores.documents.beginEdition(work))!;
    await stores.documents.write(edition, { sections: [section()], passages: [passage('cell wall')] });
    const [missing] = await stores.vectors.missing(edition, MODEL, 10);
    await stores.vectors.write(MODEL, [{ passageId: missing!.passageId, vector: aVector(1) }]);

    expect(await nearest(aVector(1))).to.deep.equal([]);
  });

  it('are never of a document that was deleted, although the outlines are in memory', async () => {
    const gone = await anEmbeddedDocument(stores, collection.id, [aVector(1), aVector(3)]);
    const left = await anEmbeddedDocument(stores, collection.id, [aVector(2)]);
    expect(await nearest(aVector(1))).to.have.length(3);

    await stores.documents.delete(collection.id, gone.id);

    expect(idsOf(await nearest(aVector(1)))).to.deep.equal(left.passageIds);
  });

  it('are never of a collection that was deleted', async () => {
    await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    await nearest(aVector(1));

    await stores.collections.delete(collection.id);

    expect(await nearest(aVector(1))).to.deep.equal([]);
  });

  it('leave nothing behind once they are swept up', async () => {
    const { id } = await anEmbeddedDocument(stores, collection.id, [aVector(1), aVector(2)]);

    await stores.documents.delete(collection.id, id);
    await stores.documents.sweep();

    expect(await db('passage_vectors').select()).to.deep.equal([]);
    expect(await db('vector_pages').select()).to.deep.equal([]);
  });

  it('are found as soon as they are written, by whoever had looked before', async () => {
    await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    await nearest(aVector(2));
    const { passageIds } = await anEmbeddedDocument(stores, collection.id, [aVector(2)]);

    const [first] = await nearest(aVector(2));

    expect(first?.passageId).to.equal(passageIds[0]);
  });

  it('need no pgvector, which a server may not have', async () => {
    const { passageIds } = await anEmbeddedDocument(stores, collection.id, [aVector(1)]);

    const done = await stores.vectors.keepIndexes(new AbortController().signal, 1);

    // Unless the tests are pointed at a server that has it.
    expect(done?.pgvector).to.be.oneOf(db.client.config.client === 'pg' ? ['absent', 'used'] : [undefined]);
    expect(idsOf(await nearest(aVector(1)))).to.deep.equal(passageIds);
  });

  it('counts a passage once that was written twice, with its last vector', async () => {
    const { passageIds } = await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    await stores.vectors.write(MODEL, [{ passageId: passageIds[0]!, vector: aVector(2) }]);

    const found = await nearest(aVector(2));

    expect(found.map(({ cosine }) => Math.round(cosine * 1000))).to.deep.equal([1000]);
  });
});

describeOnEachEngine('how near any two passages are', (open) => {
  let stores: Stores;
  let collection: Collection;
  beforeEach(async () => {
    stores = storesOn(await open());
    collection = await aCollection(stores);
  });
  const baseline = () => stores.passages.baseline({ collectionIds: [collection.id], model: MODEL });

  it('is the mean cosine of their vectors, with some unlike ones imagined beside them', async () => {
    const common = aVector(1);
    const vectors = Array.from({ length: 150 }, (_, i) => between(common, aVector(i + 2), 0.5));
    await anEmbeddedDocument(stores, collection.id, vectors);
    const pairs = vectors.flatMap((one, i) => vectors.slice(i + 1).map((other) => cosine(one, other)));
    const mean = pairs.reduce((sum, value) => sum + value, 0) / pairs.length;

    expect(await baseline()).to.be.closeTo((mean * 150) / 158, 0.001);
  });

  it('is nothing where there are fewer than two', async () => {
    await anEmbeddedDocument(stores, collection.id, [aVector(1)]);

    expect(await baseline()).to.equal(0);
  });

  it('is measured anew when passages have come', async () => {
    await anEmbeddedDocument(stores, collection.id, [aVector(1), aVector(2)]);
    const before = await baseline();
    const alike = Array.from({ length: 20 }, (_, i) => between(aVector(1), aVector(i + 9), 0.8));
    await anEmbeddedDocument(stores, collection.id, alike);

    expect(await baseline()).to.be.greaterThan(before + 0.2);
  });
});

function cosine(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0);
}
