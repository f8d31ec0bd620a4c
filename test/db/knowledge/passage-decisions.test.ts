import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Collection } from '../../../src/core/knowledge/collection.js';
import { FOR_GOOD } from '../../../src/core/knowledge/document.js';
import type { PassageDecision, StoredPassage } from '../../../src/core/knowledge/passage.js';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { storesOn } from '../fixtures.js';
import { anEmbeddedDocument, aVector, MODEL } from './embedded.js';
import { aCollection, ALL, aReadDocument, claimed, countsOf, find, ingest } from './library.js';

const AS_READ: PassageDecision = { off: false, pinned: false, corrected: undefined, terms: [] };
const FEW = { mostPinned: 2 };

describeOnEachEngine('what is decided about passages and documents', (open) => {
  let db: Knex;
  let stores: Stores;
  let collection: Collection;
  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    collection = await aCollection(stores);
  });
  const passageAt = async (document: string, n: number): Promise<StoredPassage> => {
    const passage = await stores.documents.passage(collection.id, document, n);
    if (!passage) throw new Error('There is no such passage.');
    return passage;
  };
  const decide = async (document: string, n: number, decision: Partial<PassageDecision>) => {
    const passage = await passageAt(document, n);
    const text = decision.corrected ?? passage.original ?? passage.text;
    return stores.documents.decide(passage, { ...AS_READ, terms: text.split(' '), ...decision }, FEW);
  };
  const found = (words: string) => find(stores, [collection.id], words);
  const readAnew = async (document: string, texts: readonly string[]) => {
    await stores.documents.requeue(collection.id, document);
    await ingest(stores, await claimed(stores), texts);
  };
  const nearest = async (seed: number, tags?: readonly string[]) => {
    const asked = { collectionIds: [collection.id], model: MODEL, vector: aVector(seed), limit: 10, tags };
    return (await stores.passages.nearest(asked)).map(({ passageId }) => passageId);
  };

  it('has a passage that is off found by nothing, and found again when it is on', async () => {
    const { id } = await aReadDocument(stores, collection.id, ['cells divide', 'cells grow']);

    await decide(id, 0, { off: true });

    expect(await found('cells')).to.deep.equal(['cells grow']);
    expect(await stores.passages.read([(await passageAt(id, 0)).id])).to.deep.equal([]);
    const { data } = await stores.documents.passages(collection.id, id, ALL);
    expect(data.map(({ isOff }) => isOff)).to.deep.equal([true, false]);
    await decide(id, 0, {});
    expect(await found('cells')).to.have.members(['cells divide', 'cells grow']);
    expect(await stores.documents.decisions(collection.id, id)).to.deep.equal([]);
  });

  it('takes the vector of what is off or corrected, and has the document embedded anew', async () => {
    const { id, passageIds } = await anEmbeddedDocument(stores, collection.id, [aVector(1), aVector(2)]);

    await decide(id, 0, { off: true });
    await decide(id, 1, { corrected: 'another passage' });

    expect(await nearest(1)).to.deep.equal([]);
    const work = await claimed(stores);
    expect(work.kind).to.equal('embed');
    const edition = (await stores.vectors.liveEdition(work)) ?? 0;
    expect(await stores.vectors.missing(edition, MODEL, 10)).to.deep.equal([
      { passageId: passageIds[1], text: 'another passage', title: 'Cells' },
    ]);
  });

  it('finds a corrected passage by its corrected words alone, and keeps what was read', async () => {
    const { id } = await aReadDocument(stores, collection.id, ['cels divide slowly', 'plants grow']);

    const changed = await decide(id, 0, { corrected: 'cells divide quickly' });

    expect(changed).to.include({ text: 'cells divide quickly', original: 'cels divide slowly', position: 0 });
    expect(await found('cells')).to.deep.equal(['cells divide quickly']);
    expect(await found('cels slowly')).to.deep.equal([]);
    const { kept, recounted } = await countsOf(db);
    expect(kept).to.deep.equal(recounted);
    await decide(id, 0, {});
    expect(await found('cels')).to.deep.equal(['cels divide slowly']);
    expect((await passageAt(id, 0)).original).to.equal(undefined);
    const after = await countsOf(db);
    expect(after.kept).to.deep.equal(after.recounted);
  });

  it('leaves what is off out of the section around its neighbours, and puts corrections into it', async () => {
    const { id } = await aReadDocument(stores, collection.id, ['All about']);
    const { sectionId } = await passageAt(id, 0);
    const edited = async () => (await stores.documents.sections([sectionId]))[0]?.edited;

    await decide(id, 0, { corrected: 'Everything about' });
    const corrected = await edited();
    await decide(id, 0, { off: true });
    const without = await edited();
    await decide(id, 0, {});

    expect(corrected).to.equal('Everything about cells.');
    expect(without).to.equal(' cells.');
    expect(await edited()).to.equal(undefined);
  });

  it('holds after the document was read anew, and tells what fits nothing any more', async () => {
    const { id } = await aReadDocument(stores, collection.id, ['cels divide', 'roots drink', 'leaves fall']);
    await decide(id, 0, { corrected: 'cells divide' });
    await decide(id, 1, { off: true });
    await decide(id, 2, { pinned: true });

    await readAnew(id, ['new words', 'roots drink', 'cels divide']);

    expect(await found('cells roots')).to.deep.equal(['cells divide']);
    const decisions = await stores.documents.decisions(collection.id, id);
    const stale = decisions.filter(({ applies }) => !applies);
    expect(stale.map(({ original, pinned }) => ({ original, pinned }))).to.deep.equal([
      { original: 'leaves fall', pinned: true },
    ]);
    await readAnew(id, ['leaves fall']);
    expect((await passageAt(id, 0)).isPinned).to.equal(true);
    const [left] = (await stores.documents.decisions(collection.id, id)).filter(({ applies }) => !applies);
    expect(await stores.documents.forgetDecision(collection.id, id, left?.id ?? 0)).to.equal(true);
    expect(await stores.documents.decisions(collection.id, id)).to.have.length(2);
    await stores.documents.sweep();
    const { kept, recounted } = await countsOf(db);
    expect(kept).to.deep.equal(recounted);
  });

  it('tells candidates that are pinned, and lets a collection have a few', async () => {
    const { id } = await aReadDocument(stores, collection.id, ['cells one', 'cells two', 'cells three']);

    await decide(id, 0, { pinned: true });
    await decide(id, 1, { pinned: true });

    expect(await decide(id, 2, { pinned: true })).to.equal('too many pinned');
    const groups = [{ forms: ['cells'] }];
    const statistics = await stores.passages.statistics([collection.id], ['cells']);
    const asked = { collectionIds: [collection.id], groups, statistics, limit: 5 };
    const candidates = await stores.passages.lexical(asked);
    expect(candidates.filter(({ isPinned }) => isPinned)).to.have.length(2);
    expect(await decide(id, 0, { pinned: true, off: true })).to.include({ isOff: true, isPinned: true });
  });

  it('has nothing found of a document that is off, however often it is read, until its time is up', async () => {
    const { id, passageIds } = await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    const change = (offUntil: string | null) => stores.documents.change(collection.id, id, { offUntil });

    await change(FOR_GOOD);
    expect(await found('passage')).to.deep.equal([]);
    expect(await nearest(1)).to.deep.equal([]);
    await change('2020-01-01T00:00:00.000Z');
    expect(await nearest(1)).to.deep.equal(passageIds);
    await change(FOR_GOOD);
    await readAnew(id, ['passage read anew']);

    expect(await found('passage')).to.deep.equal([]);
    await change(null);
    expect(await found('passage')).to.deep.equal(['passage read anew']);
  });

  it('looks only in documents with one of the tags, also when others would take all places', async () => {
    const many = Array.from({ length: 40 }, () => 'cells cells cells');
    const other = await aReadDocument(stores, collection.id, many);
    const wanted = await aReadDocument(stores, collection.id, ['one word about cells among others']);
    const { id: embedded, passageIds } = await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    await anEmbeddedDocument(stores, collection.id, [aVector(1)]);
    const change = { add: ['unit 2'], remove: [], most: 2 };

    expect(await stores.documents.changeTags(collection.id, [wanted.id, embedded], change)).to.equal(2);
    await stores.documents.change(collection.id, other.id, { tags: ['exam', 'unit 1'] });

    const statistics = await stores.passages.statistics([collection.id], ['cells']);
    const asked = { collectionIds: [collection.id], groups: [{ forms: ['cells'] }], statistics, limit: 3 };
    const tagged = await stores.passages.lexical({ ...asked, tags: ['unit 2', 'unit 3'] });
    const read = await stores.passages.read(tagged.map(({ passageId }) => passageId));
    expect(read.map(({ documentId }) => documentId)).to.deep.equal([wanted.id]);
    expect(await nearest(1, ['unit 2'])).to.deep.equal(passageIds);
    expect(await nearest(1, ['exam'])).to.deep.equal([]);
    expect(await stores.documents.tags(collection.id)).to.deep.equal([
      ...[
        { tag: 'exam', documents: 1 },
        { tag: 'unit 1', documents: 1 },
        { tag: 'unit 2', documents: 2 },
      ],
    ]);
    const full = await stores.documents
      .changeTags(collection.id, [other.id], change)
      .catch((e: unknown) => e);
    expect(full).to.have.property('status', 409);
    expect((await stores.documents.get(collection.id, other.id))?.tags).to.deep.equal(['exam', 'unit 1']);
  });
});
