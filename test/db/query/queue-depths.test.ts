import { expect } from 'chai';
import type { Knex } from 'knex';
import { createQueueDepths } from '../../../db/queue-depths.js';
import type { Stores } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { storesOn } from '../fixtures.js';
import { aCollection, aDocument, LEASE } from '../knowledge/library.js';
import { aClassroom, aWork, GOOD, SMALL_RUBRIC } from '../stores/submission-fixture.js';

const EMPTY = { documents: 0, sources: 0, evaluations: 0, grades: 0, alerts: 0 };

describeOnEachEngine('how much waits in each queue', (open) => {
  let db: Knex;
  let stores: Stores;
  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
  });

  it('is nothing where there is nothing to do', async () => {
    expect(await createQueueDepths(db)()).to.deep.equal(EMPTY);
  });

  it('counts what waits and what somebody is at', async () => {
    const { id } = await aCollection(stores);
    for (const filename of ['one', 'two', 'three']) await aDocument(stores, id, { filename });
    await stores.documents.claim(LEASE);
    const settings = { kind: 'web', url: 'https://example.org/', sitemap: false } as const;
    await stores.sources.create(id, { name: 'Notes', settings, token: undefined, schedule: 'off' });

    expect(await createQueueDepths(db)()).to.deep.equal({ ...EMPTY, documents: 3, sources: 1 });
  });

  it('tells works to be evaluated from grades to be told', async () => {
    const scene = await aClassroom(stores);
    const depths = createQueueDepths(db);
    await stores.submissions.submit(aWork(scene));
    expect(await depths()).to.deep.equal({ ...EMPTY, evaluations: 1 });

    const work = await stores.gradingQueue.claim('evaluate', LEASE);
    await stores.gradingQueue.propose(work!, { rubric: SMALL_RUBRIC, proposal: GOOD });
    const [proposed] = await stores.submissions.ofPerson(scene.activity.id, scene.student.id);
    await stores.submissions.approve(proposed!, { userId: scene.student.id });

    expect(await depths()).to.deep.equal({ ...EMPTY, grades: 1 });
  });
});
