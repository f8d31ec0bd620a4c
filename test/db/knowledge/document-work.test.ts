import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDb } from '../../../db/open.js';
import type { Collection } from '../../../src/core/knowledge/collection.js';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { storesOn } from '../fixtures.js';
import { aCollection, aDocument, aReadDocument, claimed, find, ingest, LEASE, NO_LEASE } from './library.js';

const SHORT = { documents: 7, bytes: 1_000, extensions: ['md', 'txt'] };

describeOnEachEngine('work on documents', (open) => {
  let db: Knex;
  let stores: Stores;
  let collection: Collection;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    collection = await aCollection(stores);
  });
  const get = (id: string) => stores.documents.get(collection.id, id);
  const claims = async (count: number) => {
    const taken = [];
    for (let n = 0; n < count; n++) taken.push((await stores.documents.claim(LEASE))?.document.filename);
    return taken;
  };

  /** Turns are told apart by the millisecond. */
  const claimsApart = async (count: number) => {
    const taken: (string | undefined)[] = [];
    for (let n = 0; n < count; n++) {
      const [name] = await claims(1);
      taken.push(name);
      const since = Date.now();
      while (Date.now() === since);
    }
    return taken;
  };

  it('is taken on once, the oldest first, and says whose it is', async () => {
    for (const filename of ['first', 'second']) await aDocument(stores, collection.id, { filename });

    const work = await claimed(stores);

    expect(work).to.deep.include({
      ...{ kind: 'ingest', attempts: 1, organizationId: collection.organizationId },
    });
    expect(work.document).to.include({
      ...{ filename: 'first', status: 'processing', collectionId: collection.id },
    });
    expect(await claims(2)).to.deep.equal(['second', undefined]);
  });

  it('is taken on together with what is short, of the same collection, and begun by nobody', async () => {
    const other = await aCollection(stores);
    const add = (filename: string, more: object = {}, where = collection) =>
      aDocument(stores, where.id, { filename, ...more });
    await add('begun.md');
    await stores.documents.claim(NO_LEASE);
    await add('long.md', { bytes: SHORT.bytes + 1 });
    await add('heavy.pdf');
    await add('page.md', { sourceUrl: 'https://example.org/page.md' });
    for (const name of ['a.MD', 'b.md', 'c.txt', 'd.md']) await add(name);
    const work = await claimed(stores);
    await add('of-another.md', {}, other);

    const more = await stores.documents.claimMore(work, { ...SHORT, documents: 3 }, LEASE);

    expect(more.map(({ document }) => document.filename)).to.have.members(['a.MD', 'b.md', 'c.txt']);
    expect(new Set(more.map(({ claim }) => claim)).size).to.equal(3);
    for (const each of more) expect(each).to.include({ kind: 'ingest', attempts: 1 });
    expect(await stores.documents.report(more[1]!, { stage: 'reading', progress: 1 }, LEASE)).to.equal(true);
  });

  it('goes round among owners: many documents of one do not keep another waiting', async () => {
    const other = await aCollection(stores);
    for (const filename of ['a1', 'a2', 'a3', 'a4']) await aDocument(stores, collection.id, { filename });
    for (const filename of ['b1', 'b2']) await aDocument(stores, other.id, { filename });

    expect(await claimsApart(7)).to.deep.equal(['a1', 'b1', 'a2', 'b2', 'a3', 'a4', undefined]);
  });

  it('goes round among the collections of one owner: a bulk upload does not hold up a single file', async () => {
    const { ownerId: id, organizationId } = collection;
    const content = { name: 'Another', description: '', isShared: false };
    const second = await stores.collections.create({ id, organizationId }, content);
    const other = await aCollection(stores);
    for (const filename of ['a1', 'a2', 'a3']) await aDocument(stores, collection.id, { filename });
    for (const filename of ['b1', 'b2', 'b3']) await aDocument(stores, other.id, { filename });
    await aDocument(stores, second.id, { filename: 'single' });

    // A turn for each owner, whatever many collections they have.
    expect(await claimsApart(7)).to.deep.equal(['a1', 'b1', 'single', 'b2', 'a2', 'b3', 'a3']);
  });

  it('goes round also when one is done before the next begins', async () => {
    const other = await aCollection(stores);
    for (const filename of ['a1', 'a2', 'a3']) await aDocument(stores, collection.id, { filename });
    await aDocument(stores, other.id, { filename: 'b1' });

    const order = [];
    for (let work = await stores.documents.claim(LEASE); work; work = await stores.documents.claim(LEASE)) {
      order.push(work.document.filename);
      await ingest(stores, work, ['cell']);
    }

    expect(order).to.deep.equal(['a1', 'b1', 'a2', 'a3']);
  });

  it('is done again for what text recognition would find more of, once that is switched on, and for nothing else', async () => {
    const documents = [];
    for (const filename of ['scan', 'mixed', 'text', 'broken'])
      documents.push(await aDocument(stores, collection.id, { filename }));
    const [scan, mixed, text, broken] = [
      await claimed(stores),
      await claimed(stores),
      await claimed(stores),
      await claimed(stores),
    ];
    await stores.documents.fail(scan, 'It is scanned.', [], { needsOcr: true });
    await ingest(stores, mixed, ['cell'], { needsOcr: true });
    await ingest(stores, text, ['cell']);
    await stores.documents.fail(broken, 'It is damaged.', []);

    const { name, description, isShared } = collection;
    await stores.collections.replace(collection.id, { name, description, isShared, ocr: true });
    const queued = await stores.documents.requeueScans(collection.id);
    const again = [await claimed(stores), await claimed(stores)];

    expect([scan.ocr, scan.ownerId]).to.deep.equal([false, collection.ownerId]);
    expect(queued).to.equal(2);
    expect(again.map(({ document }) => document.filename)).to.deep.equal(['scan', 'mixed']);
    expect(again.every(({ ocr }) => ocr)).to.equal(true);
    expect(await stores.documents.claim(LEASE)).to.equal(undefined);
  });

  it('can be taken on again once its keeper has been silent for longer than its lease, and is lost to them', async () => {
    const { id } = await aDocument(stores, collection.id);
    const silent = await claimed(stores, NO_LEASE);

    const next = await claimed(stores);
    const late = await stores.documents.report(silent, { stage: 'reading', progress: 9 }, LEASE);
    await stores.documents.fail(silent, 'Too late.', []);
    await stores.documents.release(silent);

    expect(next).to.include({ attempts: 2 });
    expect(next.claim).not.to.equal(silent.claim);
    expect(late).to.equal(false);
    expect(await get(id)).to.include({ status: 'processing', stage: 'waiting', error: undefined });
    expect(await stores.documents.report(next, { stage: 'reading', progress: 9 }, LEASE)).to.equal(true);
  });

  it('stays with its keeper as long as they report', async () => {
    const { id } = await aDocument(stores, collection.id);
    const work = await claimed(stores, NO_LEASE);

    await stores.documents.report(work, { stage: 'splitting', progress: 41.7 }, LEASE);

    expect(await stores.documents.claim(LEASE)).to.equal(undefined);
    expect(await get(id)).to.include({ status: 'processing', stage: 'splitting', progress: 42 });
  });

  it('that is given back waits untouched, as if nobody had taken it on', async () => {
    const { id } = await aDocument(stores, collection.id);
    const work = await claimed(stores);
    await stores.documents.report(work, { stage: 'splitting', progress: 40 }, LEASE);

    await stores.documents.release(work);

    expect(await get(id)).to.include({ status: 'queued', stage: 'waiting', progress: 0 });
    expect((await claimed(stores)).attempts).to.equal(1);
  });

  it('that failed is not tried again until somebody wants it', async () => {
    const { id } = await aDocument(stores, collection.id);

    await stores.documents.fail(await claimed(stores), 'It is encrypted.', [
      { page: 3, message: 'No text.' },
    ]);
    const idle = await stores.documents.claim(LEASE);
    const failed = await get(id);
    await stores.documents.requeue(collection.id, id);

    expect(idle).to.equal(undefined);
    expect(failed).to.deep.include({
      ...{ status: 'failed', error: 'It is encrypted.', faults: [{ page: 3, message: 'No text.' }] },
    });
    expect(await get(id)).to.deep.include({ status: 'queued', error: undefined, faults: [] });
    expect((await claimed(stores)).attempts).to.equal(1);
  });

  it('that is wanted anew leaves what can be found until it is done, also when it fails', async () => {
    const { id } = await aReadDocument(stores, collection.id, ['cell']);

    await stores.documents.requeue(collection.id, id);
    await stores.documents.fail(await claimed(stores), 'It is encrypted.', []);

    expect(await find(stores, [collection.id], 'cell')).to.deep.equal(['cell']);
    expect(await get(id)).to.include({ status: 'failed', passages: 1 });
  });

  it('to embed leaves a document ready, whether it is given back or fails', async () => {
    const { id } = await aReadDocument(stores, collection.id, ['cell']);
    const ends = [
      (work: Awaited<ReturnType<typeof claimed>>) => stores.documents.release(work),
      (work: Awaited<ReturnType<typeof claimed>>) => stores.documents.fail(work, 'No model.', []),
    ];
    for (const end of ends) {
      await db('documents').where({ id }).update({ work: 'embed', queued_at: '2026' });
      const work = await claimed(stores);
      await stores.documents.report(work, { stage: 'embedding', progress: 50 }, LEASE);
      const meanwhile = await get(id);
      await end(work);

      expect(work.kind).to.equal('embed');
      expect(meanwhile).to.include({ status: 'ready', stage: 'embedding', progress: 50 });
      expect(await get(id)).to.include({ status: 'ready', stage: 'done', progress: 100 });
    }
    expect(await stores.documents.claim(LEASE)).to.equal(undefined);
    expect(await get(id)).to.include({ error: 'No model.' });
  });
});

describeOnEachEngine('claims of many at once', (_open, _target, migrated) => {
  it('give each document to exactly one of them, and leave none', async () => {
    const place = await migrated();
    const connections = [await openDb(place), await openDb(place), await openDb(place)];
    const [first, ...others] = connections.map(storesOn) as [Stores, Stores, Stores];
    try {
      const ids = new Set<string>();
      for (const { id } of [await aCollection(first), await aCollection(first)])
        for (let n = 0; n < 15; n++) ids.add((await aDocument(first, id)).id);

      const takeAll = async ({ documents }: Stores) => {
        const taken = [];
        for (let work = await documents.claim(LEASE); work; work = await documents.claim(LEASE))
          for (const { document } of [work, ...(await documents.claimMore(work, SHORT, LEASE))])
            taken.push(document.id);
        return taken;
      };
      const workers = [first, first, ...others, ...others].map(takeAll);
      const taken = (await Promise.all(workers)).flat();

      expect(taken)
        .to.have.length(30)
        .and.to.have.members([...ids]);
    } finally {
      await Promise.all(connections.map((connection) => connection.destroy()));
    }
  });
});
