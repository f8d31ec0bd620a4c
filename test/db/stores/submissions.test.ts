import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Activity } from '../../../src/core/lti/activity.js';
import type { Submission } from '../../../src/core/grading/submission.js';
import type { Stores, User } from '../../../src/core/stores.js';
import { describeOnEachEngine } from '../../support/databases.js';
import { aUser, storesOn } from '../fixtures.js';
import { aClassroom, aWork, GOOD, SMALL_RUBRIC } from './submission-fixture.js';

const LEASE = { ms: 60_000 };
const GRADE = { levels: GOOD.levels, score: 10, maximum: 10, comment: GOOD.comment };

describeOnEachEngine('submissions', (open) => {
  let db: Knex;
  let stores: Stores;
  let scene: { activity: Activity; student: User };
  let teacher: User;

  beforeEach(async () => {
    db = await open();
    stores = storesOn(db);
    scene = await aClassroom(stores);
    teacher = await aUser(stores, { organizationId: scene.student.organizationId });
  });

  const proposed = async (): Promise<Submission> => {
    const { id, activityId } = await stores.submissions.submit(aWork(scene));
    const work = await stores.gradingQueue.claim('evaluate', LEASE);
    await stores.gradingQueue.propose(work!, { rubric: SMALL_RUBRIC, proposal: GOOD });
    return (await stores.submissions.get(activityId, id))!;
  };

  it('come back as they were handed in, and wait to be evaluated', async () => {
    const made = await stores.submissions.submit(aWork(scene));

    expect(made).to.deep.include({ ...aWork(scene), status: 'submitted', version: 1, proposal: null });
    expect(await stores.submissions.get(scene.activity.id, made.id)).to.deep.equal(made);
    expect(await stores.submissions.get(scene.activity.id + 1, made.id)).to.equal(undefined);
    expect(await stores.submissions.get(scene.activity.id, '\0')).to.equal(undefined);
  });

  it('are one at a time for each person and activity, also when handed in twice at once', async () => {
    const both = await Promise.allSettled([1, 2].map(() => stores.submissions.submit(aWork(scene))));

    expect(both.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const [fault] = both.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(fault).to.include({ status: 409 });

    const [first] = await stores.submissions.ofPerson(scene.activity.id, scene.student.id);
    expect(await stores.submissions.withdraw(first!, teacher.id)).to.equal(false);
    expect(await stores.submissions.withdraw(first!, scene.student.id)).to.equal(true);
    expect(await stores.submissions.submit(aWork(scene))).to.include({ status: 'submitted' });
  });

  it('take a decision once: of two who saw the same version, one decides', async () => {
    const seen = await proposed();
    const { submissions } = stores;
    const by = { userId: teacher.id };

    const outcomes = await Promise.all([
      submissions.approve(seen, by),
      submissions.approve(seen, by),
      submissions.reject(seen, { ...by, comment: 'No' }),
    ]);

    expect(outcomes.filter((one) => one !== undefined)).to.have.length(1);
    expect(await submissions.edit({ ...seen, version: undefined }, GRADE)).to.equal(undefined);
  });

  it('keep what an instructor makes of the proposal, apart from it', async () => {
    const seen = await proposed();

    const edited = await stores.submissions.edit(seen, { ...GRADE, score: 7.5 });
    const stale = await stores.submissions.edit(seen, { ...GRADE, score: 1 });
    const approved = await stores.submissions.approve(edited!, { userId: teacher.id });

    expect(stale).to.equal(undefined);
    expect(approved).to.deep.include({ status: 'approved', decidedBy: teacher.id, proposal: GOOD });
    expect(approved!.grade!.score).to.equal(7.5);
    expect(approved!.scoreTimestamp).to.equal(approved!.decidedAt);
    expect(approved!.posting).to.deep.include({ state: 'waiting', attempts: 0 });
  });

  it('come to their end where a platform takes no grades, and another may follow, which is not overwritten', async () => {
    const seen = await proposed();
    const why = 'no grades here';
    const first = await stores.submissions.approve(seen, { userId: teacher.id, impossible: why });
    expect(first!.posting).to.deep.include({ state: 'impossible', lastError: why });

    const second = await proposed();
    const again = await stores.submissions.postAgain(first!).catch((fault: unknown) => fault);
    expect(again).to.include({ status: 409 });
    await stores.submissions.approve(second, { userId: teacher.id, impossible: why });
    // The second is the grade now; the first never comes after it.
    await db('lti_submissions').where('id', first!.id).update({ created_at: '2026-01-01T00:00:00.000Z' });
    expect(await stores.submissions.postAgain({ ...first!, version: undefined })).to.equal(undefined);
    expect(await stores.submissions.postAgain({ ...second, version: undefined })).to.deep.include({
      status: 'approved',
    });
  });

  it('are listed newest first, by person and by state', async () => {
    const other = await aUser(stores, { organizationId: scene.student.organizationId, role: 'student' });
    const one = await proposed();
    const two = await stores.submissions.submit(aWork({ ...scene, student: other }));
    await db('lti_submissions').where('id', one.id).update({ created_at: '2026-01-01T00:00:00.000Z' });

    const ids = async (filter: object, page: object = {}) => {
      const of = { activityId: scene.activity.id, ...filter };
      return (await stores.submissions.list(of, { limit: 10, ...page })).data.map(({ id }) => id);
    };
    expect(await ids({})).to.deep.equal([two.id, one.id]);
    expect(await ids({ userId: other.id })).to.deep.equal([two.id]);
    expect(await ids({ status: 'proposed' })).to.deep.equal([one.id]);
    expect(await ids({ activityId: 2 ** 40 })).to.deep.equal([]);
    const { nextCursor } = await stores.submissions.list({ activityId: scene.activity.id }, { limit: 1 });
    expect(await ids({}, { cursor: nextCursor })).to.deep.equal([one.id]);
  });
});
