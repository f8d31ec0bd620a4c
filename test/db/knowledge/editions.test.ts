import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Collection } from '../../../src/core/knowledge/collection.js';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { storesOn } from '../fixtures.js';
import {
  aCollection,
  aDocument,
  ALL,
  aReadDocument,
  claimed,
  countsOf,
  FACTS,
  find,
  ingest,
  LEASE,
  NO_LEASE,
  passage,
  section,
} from './library.js';

describeOnEachEngine('an edition of a document', (open) => {
  let db: Knex;
  let stores: Stores;
  let collection: Collection;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    collection = await aCollection(stores);
  });
  const found = (words: string) => find(stores, [collection.id], words);
  const rowsLeft = async () => {
    const tables = ['editions', 'sections', 'passages', 'term_counts', 'passage_vectors'];
    const counts = await Promise.all(tables.map((table) => db(table).count({ rows: '*' })));
    return counts.map(([count]) => Number(count?.['rows']));
  };

  it('is seen by nobody until it is published, and then whole', async () => {
    const { id } = await aDocument(stores, collection.id);
    const work = await claimed(stores);
    const edition = (await stores.documents.beginEdition(work))!;
    await stores.documents.write(edition, {
      sections: [section({ title: 'One' })],
      passages: [passage('cell wall')],
    });
    await stores.documents.write(edition, {
      sections: [section({ title: 'Two', page: 2 })],
      passages: [passage('cell core', { section: 1, page: 2, pageEnd: 3, start: 9, end: 18 })],
    });

    const before = [
      await found('cell'),
      (await stores.documents.passages(collection.id, id, ALL)).data,
      await stores.documents.passage(collection.id, id, 0),
    ];
    const published = await stores.documents.publish(work, edition, {
      ...FACTS,
      pages: 3,
      faults: [{ page: 2, message: 'No text.' }],
      embeddedWith: 'local:x',
    });

    expect(before).to.deep.equal([[], [], undefined]);
    expect(published).to.equal(true);
    expect(await found('cell')).to.have.members(['cell wall', 'cell core']);
    expect(await stores.documents.get(collection.id, id)).to.deep.include({
      ...{ status: 'ready', stage: 'done', progress: 100, passages: 2, error: undefined },
      ...{ format: 'markdown', pages: 3, language: 'en', embeddedWith: 'local:x' },
      faults: [{ page: 2, message: 'No text.' }],
    });
    const second = await stores.documents.passage(collection.id, id, 1);
    expect(second).to.deep.include({
      ...{ collectionId: collection.id, documentId: id, filename: 'cells.md', sourceUrl: undefined },
      ...{ position: 1, section: 'Two', page: 2, pageEnd: 3, start: 9, end: 18, text: 'cell core' },
    });
    expect(await stores.documents.sections([second!.sectionId, 999_999])).to.deep.equal([
      { id: second!.sectionId, ...section({ title: 'Two', page: 2 }) },
    ]);
  });

  it('takes the place of the one before, of which nothing is left after a sweep', async () => {
    const { id } = await aReadDocument(stores, collection.id, ['old words', 'old cell']);
    await stores.documents.requeue(collection.id, id);
    const work = await claimed(stores);
    const edition = (await stores.documents.beginEdition(work))!;
    await stores.documents.write(edition, { sections: [section()], passages: [passage('new cell')] });

    const meanwhile = await found('cell');
    await stores.documents.publish(work, edition, FACTS);
    const after = await found('cell');
    await stores.documents.sweep();

    expect(meanwhile).to.deep.equal(['old cell']);
    expect(after).to.deep.equal(['new cell']);
    expect(await found('old')).to.deep.equal([]);
    expect(await rowsLeft()).to.deep.equal([1, 1, 1, 3, 0]);
  });

  it('that somebody writes is left alone by a sweep', async () => {
    await aDocument(stores, collection.id);
    const work = await claimed(stores);
    const edition = (await stores.documents.beginEdition(work))!;
    await stores.documents.write(edition, { sections: [section()], passages: [passage('cell')] });

    await stores.documents.sweep();
    await stores.documents.publish(work, edition, FACTS);

    expect(await found('cell')).to.deep.equal(['cell']);
  });

  it('is never seen once its document is deleted, queued anew, or taken over by somebody else', async () => {
    const ways: Record<string, (id: string) => Promise<unknown>> = {
      deleted: (id) => stores.documents.delete(collection.id, id),
      'queued anew': (id) => stores.documents.requeue(collection.id, id),
      'taken over': () => stores.documents.claim(LEASE),
    };
    for (const [way, lose] of Object.entries(ways)) {
      const { id } = await aDocument(stores, collection.id);
      const work = await claimed(stores, NO_LEASE);
      const edition = (await stores.documents.beginEdition(work))!;
      await stores.documents.write(edition, { sections: [section()], passages: [passage('cell')] });

      await lose(id);
      const later = [
        await stores.documents.report(work, { stage: 'indexing', progress: 5 }, LEASE),
        await stores.documents.publish(work, edition, FACTS),
        await stores.documents.beginEdition(work),
      ];
      await stores.documents.sweep();
      await stores.documents.write(edition, { sections: [section()], passages: [passage('cell')] });

      expect(later, way).to.deep.equal([false, false, undefined]);
      expect(await found('cell'), way).to.deep.equal([]);
      expect(await rowsLeft(), way).to.deep.equal([0, 0, 0, 0, 0]);
      await stores.documents.delete(collection.id, id);
    }
  });

  it('of another document cannot be published with somebody’s claim, nor twice', async () => {
    await aDocument(stores, collection.id);
    await aDocument(stores, collection.id);
    const [mine, theirs] = [await claimed(stores), await claimed(stores)];
    const [own, other] = [
      (await stores.documents.beginEdition(mine))!,
      (await stores.documents.beginEdition(theirs))!,
    ];

    const outcomes = [
      await stores.documents.publish(mine, other, FACTS),
      await stores.documents.publish(mine, own, FACTS),
      await stores.documents.publish(mine, own, FACTS),
    ];
    await stores.documents.write(own, { sections: [section()], passages: [passage('late')] });

    expect(outcomes).to.deep.equal([false, true, false]);
    expect(await found('late')).to.deep.equal([]);
  });

  it('is not written at all when a passage of a part cannot be', async () => {
    await aDocument(stores, collection.id);
    const work = await claimed(stores);
    const edition = (await stores.documents.beginEdition(work))!;

    const outcome = await stores.documents
      .write(edition, {
        sections: [section()],
        passages: [passage('cell'), passage('core', { section: 7 })],
      })
      .catch(() => 'refused');
    await stores.documents.write(edition, { sections: [section()], passages: [passage('wall')] });
    await stores.documents.publish(work, edition, FACTS);

    expect(outcome).to.equal('refused');
    expect(await found('cell wall')).to.deep.equal(['wall']);
    expect(await rowsLeft()).to.deep.equal([1, 1, 1, 2, 0]);
  });

  it('goes with its document at once, and so do those of a whole collection', async () => {
    const { id } = await aReadDocument(stores, collection.id, ['cell wall']);
    const other = await aReadDocument(stores, collection.id, ['cell core']);
    const { sectionId } = (await stores.documents.passage(collection.id, other.id, 0))!;

    const gone = [
      await stores.documents.delete(collection.id, id),
      await stores.documents.delete(collection.id, id),
    ];
    const left = await found('cell');
    const deleted = await stores.collections.delete(collection.id);

    expect(gone).to.deep.equal([true, false]);
    expect(left).to.deep.equal(['cell core']);
    expect(deleted).to.deep.equal({ documentIds: [other.id] });
    expect(await found('cell')).to.deep.equal([]);
    expect(await stores.documents.sections([sectionId])).to.deep.equal([]);
    expect(await stores.documents.get(collection.id, other.id)).to.equal(undefined);
    expect(await stores.collections.delete(collection.id)).to.equal(undefined);
    await stores.documents.sweep();
    expect(await rowsLeft()).to.deep.equal([0, 0, 0, 0, 0]);
  });

  it('of any size is swept up, by several at the same time, with the counts of what stays', async () => {
    const texts = Array.from({ length: 450 }, (_, number) => `cell number${String(number)}`);
    const big = await aReadDocument(stores, collection.id, texts);
    await aReadDocument(stores, collection.id, ['cell wall wall']);
    await stores.documents.delete(collection.id, big.id);

    await Promise.all([stores.documents.sweep(), stores.documents.sweep()]);

    const { kept, recounted } = await countsOf(db);
    expect(kept).to.deep.equal(recounted);
    expect(await rowsLeft()).to.deep.equal([1, 1, 1, 3, 0]);
    expect(await found('cell')).to.deep.equal(['cell wall wall']);
  });

  it('with nothing in it can be published as well', async () => {
    const { id } = await aDocument(stores, collection.id);

    const published = await ingest(stores, await claimed(stores), []);

    expect(published).to.equal(true);
    expect((await stores.documents.get(collection.id, id))?.passages).to.equal(0);
  });
});
