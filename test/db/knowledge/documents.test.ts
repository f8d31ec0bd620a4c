import { expect } from 'chai';
import type { Knex } from 'knex';
import { AppError } from '../../../src/core/errors.js';
import type { Collection } from '../../../src/core/knowledge/collection.js';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { storesOn } from '../fixtures.js';
import { aCollection, aDocument, ALL, aReadDocument, claimed, LEASE, newDocument } from './library.js';

describeOnEachEngine('documents', (open) => {
  let db: Knex;
  let stores: Stores;
  let collection: Collection;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    collection = await aCollection(stores);
  });
  const get = (id: string) => stores.documents.get(collection.id, id);

  it('wait to be read once they are added', async () => {
    const document = newDocument({ filename: `a'?\0.pdf`, sourceUrl: 'https://example.org/a', bytes: 5e9 });

    const added = await stores.documents.add(collection.id, document);

    expect(added?.isNew).to.equal(true);
    expect(added?.document).to.deep.include({
      ...{ ...document, filename: `a'?\uFFFD.pdf`, collectionId: collection.id },
      ...{ status: 'queued', stage: 'waiting', progress: 0, passages: 0, faults: [] },
      ...{ error: undefined, format: undefined, pages: undefined, language: undefined },
    });
    expect(await get(document.id)).to.deep.equal(added?.document);
  });

  it('belong to one collection, which must be here', async () => {
    const { id } = await aDocument(stores, collection.id);
    const other = await aCollection(stores);
    const content = { name: 'theirs', description: '', isShared: false };
    const owner = { id: collection.ownerId, organizationId: collection.organizationId };
    const onServer = await stores.collections.create(owner, content, '7');

    const outcomes = [
      await stores.documents.get(other.id, id),
      await stores.documents.requeue(other.id, id),
      await stores.documents.delete(other.id, id),
      await stores.documents.add('nowhere', newDocument()),
      await stores.documents.add(onServer.id, newDocument()),
    ];

    expect(outcomes).to.deep.equal([undefined, undefined, false, undefined, undefined]);
    expect(await get(id)).to.include({ id });
  });

  it('with the same bytes are one in a collection, and two in two', async () => {
    const first = newDocument();
    await stores.documents.add(collection.id, first);
    const other = await aCollection(stores);

    const again = await stores.documents.add(collection.id, newDocument({ sha256: first.sha256 }));
    const elsewhere = await stores.documents.add(other.id, newDocument({ sha256: first.sha256 }));

    expect([again?.isNew, again?.document.id]).to.deep.equal([false, first.id]);
    expect(elsewhere?.isNew).to.equal(true);
    expect((await stores.documents.list(collection.id, {}, ALL)).data).to.have.length(1);
  });

  it('that come together are added together, or none of them', async () => {
    const [known, first, second] = [newDocument(), newDocument(), newDocument()];
    await stores.documents.add(collection.id, known);
    const twin = newDocument({ sha256: first.sha256 });
    const ids = async () => (await stores.documents.list(collection.id, {}, ALL)).data.map(({ id }) => id);

    const broken = [first, second, { ...newDocument(), id: known.id, filename: null as unknown as string }];
    const refused = await stores.documents.addAll(collection.id, broken).then(
      () => false,
      () => true,
    );
    const before = await ids();
    const added = await stores.documents.addAll(collection.id, [known, first, twin, second]);

    expect([refused, before]).to.deep.equal([true, [known.id]]);
    expect(added?.map(({ document, isNew }) => [document.id, isNew])).to.deep.equal([
      ...[
        [known.id, false],
        [first.id, true],
        [first.id, false],
        [second.id, true],
      ],
    ]);
    expect(await ids()).to.have.members([known.id, first.id, second.id]);
    expect(await stores.documents.addAll('nowhere', [newDocument()])).to.equal(undefined);
  });

  it('with the same bytes as one that failed have it tried again; one that is ready is left as it is', async () => {
    const [failed, ready] = [newDocument(), newDocument()];
    await stores.documents.add(collection.id, failed);
    await stores.documents.fail(await claimed(stores), 'It is encrypted.', []);
    await stores.documents.add(collection.id, ready);
    await stores.documents.release(await claimed(stores));

    const outcomes = [failed, ready].map(({ sha256 }) =>
      stores.documents.add(collection.id, newDocument({ sha256 })),
    );

    expect((await outcomes[0])?.document).to.include({ status: 'queued', error: undefined });
    expect((await outcomes[1])?.document).to.include({ id: ready.id, status: 'queued' });
    expect((await claimed(stores)).attempts).to.equal(1);
  });

  it('that have no bytes yet are not taken for each other, and conflict when their bytes turn out the same', async () => {
    const byUrl = { sha256: undefined, sourceUrl: 'https://example.org/a', bytes: 0 };
    await aDocument(stores, collection.id, byUrl);
    await aDocument(stores, collection.id, byUrl);
    const [first, second] = [await claimed(stores), await claimed(stores)];
    const arrived = { stage: 'reading', progress: 5, bytes: 9, sha256: 'same', filename: 'a.html' } as const;

    const reported = await stores.documents.report(first, arrived, LEASE);
    const again = await stores.documents.report(second, arrived, LEASE).catch((error: unknown) => error);

    expect(reported).to.equal(true);
    expect(await get(first.document.id)).to.include({ bytes: 9, sha256: 'same', filename: 'a.html' });
    expect(again).to.be.instanceOf(AppError).with.property('status', 409);
  });

  it('are listed newest first, by a part of their name and by what has become of them, each once', async () => {
    for (const filename of ['Ähre.pdf', 'cells.md', 'cells_2.md'])
      await aDocument(stores, collection.id, { filename });
    await claimed(stores);
    const list = async (filter: Parameters<typeof stores.documents.list>[1]) =>
      (await stores.documents.list(collection.id, filter, ALL)).data.map(({ filename }) => filename).sort();

    const pages: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await stores.documents.list(collection.id, {}, { limit: 1, cursor });
      pages.push(...page.data.map(({ filename }) => filename));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);

    expect(pages).to.have.members(['Ähre.pdf', 'cells.md', 'cells_2.md']).and.to.have.length(3);
    expect(await list({ q: 'CELLS' })).to.deep.equal(['cells.md', 'cells_2.md']);
    expect(await list({ q: '_' })).to.deep.equal(['cells_2.md']);
    expect(await list({ q: 'ähre' })).to.deep.equal(['Ähre.pdf']);
    expect(await list({ status: 'processing' })).to.have.length(1);
    expect(await list({ status: 'queued', q: 'nothing' })).to.deep.equal([]);
  });

  it('show their passages in order, in pages, each once', async () => {
    const texts = ['one', 'two', 'three', 'four', 'five'];
    const { id } = await aReadDocument(stores, collection.id, texts);

    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await stores.documents.passages(collection.id, id, { limit: 2, cursor });
      seen.push(...page.data.map(({ text }) => text));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);

    expect(seen).to.deep.equal(texts);
    expect(await stores.documents.passage(collection.id, id, 4)).to.include({ text: 'five', position: 4 });
    for (const position of [5, -1, 0.5, 2 ** 40])
      expect(await stores.documents.passage(collection.id, id, position)).to.equal(undefined);
    expect((await stores.documents.passages('nowhere', id, ALL)).data).to.deep.equal([]);
  });
});
