import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Activity } from '../../../src/core/lti/activity.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';
import { aClassroom, aWork, GOOD, SMALL_RUBRIC } from './submission-fixture.js';

const LEASE = { ms: 60_000 };
const OVER = { ms: -1 };
const SOON = new Date(Date.now() + 3_600_000).toISOString();

describeOnEachEngine('the queue of grading', (open) => {
  let db: Knex;
  let stores: Stores;
  let scene: { activity: Activity; student: User };
  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    scene = await aClassroom(stores);
  });

  const current = async () => (await stores.submissions.ofPerson(scene.activity.id, scene.student.id))[0]!;
  const approved = async () => {
    await stores.submissions.submit(aWork(scene));
    const work = await stores.gradingQueue.claim('evaluate', LEASE);
    await stores.gradingQueue.propose(work!, { rubric: SMALL_RUBRIC, proposal: GOOD });
    return stores.submissions.approve(await current(), { userId: scene.student.id });
  };

  it('gives each submission to one of many who ask at once', async () => {
    for (let n = 0; n < 4; n++) {
      const student = await aUser(stores, { organizationId: scene.student.organizationId });
      await stores.submissions.submit(aWork({ ...scene, student }));
    }

    const claims = await Promise.all(
      Array.from({ length: 8 }, () => stores.gradingQueue.claim('evaluate', LEASE)),
    );

    const ids = claims.flatMap((work) => (work ? [work.submission.id] : []));
    expect(new Set(ids).size).to.equal(4);
    expect(ids).to.have.length(4);
    expect(claims.find((work) => work)!.submission.status).to.equal('evaluating');
    expect(await stores.gradingQueue.claim('post', LEASE)).to.equal(undefined);
  });

  it('gives what somebody fell silent about to another, and hears no more from the first', async () => {
    const { gradingQueue } = stores;
    await stores.submissions.submit(aWork(scene));
    const first = await gradingQueue.claim('evaluate', OVER);

    const second = await gradingQueue.claim('evaluate', LEASE);

    expect([first!.attempts, second!.attempts]).to.deep.equal([1, 2]);
    expect(await gradingQueue.keep(first!, LEASE)).to.equal(false);
    expect(await gradingQueue.failEvaluation(first!, 'late')).to.equal(false);
    expect(await gradingQueue.keep(second!, LEASE)).to.equal(true);
    expect(await gradingQueue.propose(second!, { rubric: SMALL_RUBRIC, proposal: GOOD })).to.equal(true);
    expect(await current()).to.deep.include({ status: 'proposed', version: 2, proposal: GOOD });
    expect((await current()).grade).to.deep.include({ score: 10, comment: GOOD.comment });
  });

  it('says nothing of what was withdrawn meanwhile', async () => {
    await stores.submissions.submit(aWork(scene));
    const work = await stores.gradingQueue.claim('evaluate', LEASE);
    await stores.submissions.withdraw(await current(), scene.student.id);

    expect(await stores.gradingQueue.propose(work!, { rubric: SMALL_RUBRIC, proposal: GOOD })).to.equal(
      false,
    );
    expect(await db('lti_submissions').select('id')).to.deep.equal([]);
  });

  it('waits until it is time, and counts what was not tried for nothing', async () => {
    const { gradingQueue } = stores;
    await approved();
    const first = await gradingQueue.claim('post', LEASE);
    await gradingQueue.release('post', first!);
    const again = await gradingQueue.claim('post', LEASE);
    expect(again!.attempts).to.equal(1);

    await gradingQueue.later('post', again!, { at: SOON, reason: 'It is off.' });

    expect(await gradingQueue.claim('post', LEASE)).to.equal(undefined);
    expect((await current()).posting).to.deep.include({
      state: 'waiting',
      lastError: 'It is off.',
      attempts: 1,
    });
    await stores.submissions.postAgain(await current());
    expect(await gradingQueue.claim('post', LEASE)).to.include({ attempts: 2 });
  });

  it('keeps a new time of a score before it is told, and the end of it', async () => {
    const { gradingQueue } = stores;
    await approved();
    const work = await gradingQueue.claim('post', LEASE);

    expect(await gradingQueue.setScoreTimestamp(work!, SOON)).to.equal(true);
    expect(await gradingQueue.posted(work!)).to.equal(true);

    const { scoreTimestamp, status, posting } = await current();
    expect({ scoreTimestamp, status }).to.deep.equal({ scoreTimestamp: SOON, status: 'posted' });
    expect(posting).to.deep.include({ state: 'posted', lastError: null });
    expect(await gradingQueue.posted(work!)).to.equal(false);
    expect(await stores.submissions.submit(aWork(scene))).to.include({ status: 'submitted' });
  });

  it('holds what failed open, and lets go of what is impossible', async () => {
    const { gradingQueue, submissions } = stores;
    await approved();
    const why = { state: 'failed', reason: 'no such column' } as const;
    await gradingQueue.failPosting((await gradingQueue.claim('post', LEASE))!, why);
    expect(await submissions.submit(aWork(scene)).catch((fault: unknown) => fault)).to.include({
      status: 409,
    });

    await submissions.postAgain(await current());
    const work = await gradingQueue.claim('post', LEASE);
    await gradingQueue.failPosting(work!, { ...why, state: 'impossible' });

    expect((await current()).posting).to.deep.include({ state: 'impossible', lastError: 'no such column' });
    expect(await submissions.submit(aWork(scene))).to.include({ status: 'submitted' });
  });
});
