import { expect } from 'chai';
import type { FaultOrder } from '../../support/lti-platform/faults.js';
import type { ToolOptions } from '../../support/lti-platform/platform.js';
import {
  aCourseAt,
  approve,
  ask,
  asTeacher,
  type GradingFixture,
  killAndRestart,
  proposedFor,
  type Site,
  startSiteHere,
  startSiteProcess,
  startSurroundings,
  type Surroundings,
  untilTold,
} from '../support/grading-fixture.js';
import { inDatabase } from '../support/users-fixture.js';

describe('a grade on its way to the platform', function () {
  this.timeout(60_000);
  let surroundings: Surroundings;
  let site: Site;
  let scene: GradingFixture;
  before(async () => {
    surroundings = await startSurroundings();
    site = await startSiteHere(surroundings);
  });
  after(async () => {
    await site.end();
    await surroundings.stop();
  });
  const begin = async (options: ToolOptions = {}) => (scene = await aCourseAt(site, options));
  const ends: (() => Promise<void>)[] = [];
  const beginWithProcess = async () => {
    const killable = await startSiteProcess(surroundings);
    ends.push(killable.end);
    const made = await aCourseAt(killable);
    scene = made;
    return made;
  };
  afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

  const fault = (part: FaultOrder['part'], ...faults: string[]) =>
    scene.platform.fault({ part, faults, always: false });
  const scores = async () =>
    (await scene.platform.journal('score', scene.tool)).map(
      ({ userId, scoreGiven, scoreMaximum, comment }) => ({
        ...{ userId, scoreGiven, scoreMaximum, comment },
      }),
    );

  it('goes there once, as the teacher approved it, however often they click', async () => {
    await begin();
    const student = await scene.comes('student1');
    const seen = await proposedFor(scene, student);
    expect(await scores()).to.deep.equal([]);
    const edited = await ask(scene, scene.teacher, {
      ...{ at: `/${seen.id}`, method: 'PATCH' },
      body: { levels: { criterion_2: 'level_1' }, comment: 'Well done.' },
    });

    const clicks = await Promise.all([approve(scene, edited.json), approve(scene, edited.json)]);
    await untilTold(scene, seen);

    expect(edited.json.grade).to.deep.include({ score: 8.5, comment: 'Well done.' });
    expect(clicks.map(({ status }) => status).sort()).to.deep.equal([200, 409]);
    expect(await scores()).to.deep.equal([
      { userId: '4', scoreGiven: 8.5, scoreMaximum: 10, comment: 'Well done.' },
    ]);
    const { json } = await ask(scene, student, { at: `/${seen.id}` });
    expect(json).to.deep.include({ status: 'posted', proposal: null });
    expect(json.grade).to.deep.include({ score: 8.5, comment: 'Well done.' });
  });

  it('arrives once when the service is killed between approval and telling', async () => {
    const killable = await beginWithProcess();
    const seen = await proposedFor(scene, await scene.comes('student1'));
    await fault('token', 'hang', 'hang');
    await approve(scene, seen);

    await killAndRestart(killable, () => fault('token'));
    await untilTold(scene, seen);

    expect(await scores()).to.have.length(1);
    expect((await asTeacher(scene, `/${seen.id}`)).json.posting.state).to.equal('posted');
  });

  it('arrives once when the service is killed after the platform took it and before it could hear so', async () => {
    const killable = await beginWithProcess();
    const seen = await proposedFor(scene, await scene.comes('student1'));
    await fault('scores', 'drop');
    await approve(scene, seen);
    await scene.platform.waitForJournal('score', 1, { tool: scene.tool });

    await killAndRestart(killable);
    await untilTold(scene, seen);

    expect(await scores()).to.have.length(1);
    expect(await scene.platform.journal('score_refused', scene.tool)).to.have.length(1);
    expect((await asTeacher(scene, `/${seen.id}`)).json).to.include({ status: 'posted' });
  });

  it('arrives once for each student where two services are at it', async () => {
    await begin();
    const first = scene.service;
    const second = await scene.anotherService();
    // What comes after this is not for it.
    ends.push(async () => {
      await second.stop();
    });
    const works = [];
    for (const name of ['student1', 'student2'])
      works.push(await proposedFor(scene, await scene.comes(name)));

    const body = (work: { version: number }) => ({
      key: scene.teacher.token,
      body: { version: work.version },
    });
    await Promise.all(
      works.flatMap((work) =>
        [first, second].map((service) => service.request(`${scene.path}/${work.id}/approve`, body(work))),
      ),
    );
    await scene.platform.waitForJournal('score', 2, { tool: scene.tool });
    await Promise.all(
      works.map((work) => Promise.race([first, second].map((service) => untilTold({ service }, work)))),
    );

    expect((await scores()).map(({ userId }) => userId).sort()).to.deep.equal(['4', '5']);
  });

  it('is told again when the platform is well again', async () => {
    await begin();
    const seen = await proposedFor(scene, await scene.comes('student1'));
    await fault('scores', '500');
    await approve(scene, seen);
    await untilTold(scene, seen, 'later');
    const waiting = (await asTeacher(scene, `/${seen.id}`)).json;

    await untilTold(scene, seen);

    expect(waiting.posting).to.deep.include({ state: 'waiting', attempts: 1 });
    expect(waiting.posting.last_error).to.match(/platform/);
    expect(await scores()).to.have.length(1);
  });

  it('goes over another score of the same second, with a later time that is stored first', async () => {
    await begin();
    const student = await scene.comes('student1');
    const before = await proposedFor(scene, student);
    await approve(scene, before);
    await untilTold(scene, before);
    const [other] = await scene.platform.journal('score', scene.tool);

    const seen = await proposedFor(scene, student);
    await ask(scene, scene.teacher, { at: `/${seen.id}`, method: 'PATCH', body: { score: 9 } });
    await fault('scores', '404');
    await approve(scene, { ...seen, version: seen.version + 1 });
    await untilTold(scene, seen, 'failed');
    const score_timestamp = String(other!['timestamp']);
    await inDatabase(scene.service, (_stores, db) =>
      db('lti_submissions').where('id', seen.id).update({ score_timestamp }),
    );
    await asTeacher(scene, `/${seen.id}/post`, {});
    await untilTold(scene, seen);

    expect((await scores()).map(({ scoreGiven }) => scoreGiven)).to.deep.equal([6.5, 9]);
    expect(await scene.platform.journal('score_refused', scene.tool)).to.have.length(1);
  });

  it('makes the column where the link has none, once, also for two at the same moment', async () => {
    await begin({ activity: { grade: null } });
    const works = [];
    for (const name of ['student1', 'student2'])
      works.push(await proposedFor(scene, await scene.comes(name)));

    await Promise.all(works.map((work) => approve(scene, work)));
    await Promise.all(works.map((work) => untilTold(scene, work)));

    const told = await scene.platform.journal('score', scene.tool);
    expect(told.map(({ userId }) => userId).sort()).to.deep.equal(['4', '5']);
    expect(new Set(told.map(({ lineItem }) => lineItem)).size).to.equal(1);
  });

  it('is shown to be typed in where the platform takes none', async () => {
    await begin({ grades: false });
    const seen = await proposedFor(scene, await scene.comes('student1'));

    const { json } = await approve(scene, seen);

    expect(json.posting.state).to.equal('impossible');
    expect(json.posting.last_error).to.match(/by hand/);
    expect(json.grade).to.deep.include({ score: 6.5 });
  });
});
