import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnPostgres } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';
import { aCollection, aDocument, LEASE } from '../knowledge/library.js';
import { aClassroom, aWork } from '../stores/submission-fixture.js';

// SQLite has one writer at a time, and nothing to wait for in a row.
describeOnPostgres('a claim of work', (open) => {
  let db: Knex;
  let stores: Stores;
  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
  });

  /** As another process does at the very moment in which it takes this one. */
  const whileTaken = <T>(table: string, id: string, work: () => Promise<T>): Promise<T> =>
    db.transaction(async (trx) => {
      await trx(table).where({ id }).forUpdate().first('id');
      return work();
    });

  it('waits for no other: of documents it takes the next', async () => {
    const { id: collectionId } = await aCollection(stores);
    const [first, second] = [await aDocument(stores, collectionId), await aDocument(stores, collectionId)];

    const work = await whileTaken('documents', first.id, () => stores.documents.claim(LEASE));

    expect(work?.document.id).to.equal(second.id);
  });

  it('waits for no other: of submissions it takes the next', async () => {
    const scene = await aClassroom(stores);
    const other = await aUser(stores, { organizationId: scene.student.organizationId });
    const first = await stores.submissions.submit(aWork(scene));
    await stores.submissions.submit(aWork({ ...scene, student: other }));

    const claim = () => stores.gradingQueue.claim('evaluate', LEASE);
    const work = await whileTaken('lti_submissions', first.id, claim);

    expect(work?.submission.userId).to.equal(other.id);
  });
});
