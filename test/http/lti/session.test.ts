import { expect } from 'chai';
import { say } from '../../support/fakes/model-script.js';
import { aLearningPlatform, anActivity, aVisitor } from '../../support/launched.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { aCourse, configuring, type Shown } from '../support/lti-course-fixture.js';
import { refusalOf } from '../support/refusal.js';
import { aColleagueOf, aPerson, auditOf, inDatabase } from '../support/users-fixture.js';

const SESSION = '/lamb/v1/lti/session';
const PASSWORD = 'a long enough password 1';

interface Session {
  readonly activity: Shown | null;
  readonly suggested_assistant_ids: readonly number[];
  readonly [other: string]: unknown;
}

describe('a visit from a learning platform', function () {
  this.timeout(60_000);
  let world: TestService;
  before(async () => {
    world = await sharedService();
  });
  const sessionOf = async ({ key }: { readonly key: string }) =>
    (await world.service.request<Session>(SESSION, { key })).json;

  it('tells students who they are there, and of assistants what they need', async () => {
    const { assistant, visitor } = await aCourse(world);
    const { activity, ...more } = await sessionOf(await visitor({ facts: { locale: 'ca_valencia' } }));

    expect(more).to.deep.equal({
      ...{
        kind: 'activity',
        role: 'learner',
        name: 'Sam Student',
        locale: 'ca',
        platform: { name: 'Moodle' },
      },
      ...{ course: { id: '2', title: 'Biology 101' }, return_url: 'https://moodle.example/course' },
      ...{ opened_in: 'iframe', account: null, consent: { needed: false, given_at: null } },
      suggested_assistant_ids: [],
      grading: { available: false, reason: 'The learning platform offers no place for grades here.' },
    });
    const { name, id } = assistant;
    const blank = {
      description: '',
      vision: false,
      attachments: false,
      greeting: '',
      starters: [],
      avatar: null,
    };
    expect(activity!.assistants).to.deep.equal([{ id, name, ...blank }]);
    expect((await sessionOf(await visitor({ facts: { locale: 'fr' } }))).locale).to.equal(null);
  });

  it('suggests to who teaches what was named beside the link, as far as they may use it', async () => {
    const { service } = world;
    const { assistant, owner, platform } = await aCourse(world);
    const hidden = await service.createAssistant({}, { key: owner.key });
    const activity = await anActivity(service, platform);
    const custom = { assistant_ids: `${String(hidden.id)}, ${String(assistant.id)},x,0,99999999999` };
    const teacher = await aVisitor(service, platform, { activity, role: 'instructor', facts: { custom } });
    const student = await aVisitor(service, platform, { activity, facts: { custom } });

    expect((await sessionOf(teacher)).suggested_assistant_ids).to.deep.equal([assistant.id]);
    expect((await sessionOf(student)).suggested_assistant_ids).to.deep.equal([]);
  });

  it('tells who teaches of assistants that passed their tests, and of those that failed where they may edit them', async () => {
    const { service } = world;
    const { assistant, owner, visitor } = await aCourse(world);
    const teacher = await visitor({ role: 'instructor' });
    const verdict = { assistantId: assistant.id, version: assistant.version, contentHash: 'any' };
    const told = async (passed: boolean) => {
      await inDatabase(service, ({ suiteVerdicts }) => suiteVerdicts.put({ ...verdict, passed }));
      const path = `${SESSION}/assistants?q=${assistant.name}`;
      const { json } = await service.request<{ data: { tests: object | null }[] }>(path, {
        key: teacher.key,
      });
      return json.data[0]!.tests;
    };

    expect(await told(true)).to.deep.include({ passed: true, version: assistant.version });
    expect(await told(false)).to.equal(null);
    await inDatabase(service, async (_stores, db) => {
      await db('lti_people').where({ user_id: teacher.id }).update({ linked_user_id: owner.id });
    });
    expect(await told(false)).to.deep.include({ passed: false });
  });

  it('links who teaches to their account by its password, and what they may use there they may place', async () => {
    const { service } = world;
    const platform = await aLearningPlatform(service, await aPerson(service));
    const account = await aPerson(service, { organizationId: platform.organizationId, password: PASSWORD });
    const foreign = await aPerson(service, { password: PASSWORD });
    const own = await service.createAssistant({}, { key: account.key });
    const activity = await anActivity(service, platform);
    const teacher = await aVisitor(service, platform, { activity, role: 'instructor' });
    const student = await aVisitor(service, platform, { activity });
    const link = (key: string, email: string, password = PASSWORD) =>
      service.request(`${SESSION}/account`, { key, body: { email, password } });
    const usable = async () => {
      const path = `${SESSION}/assistants?q=${own.name}`;
      const { json } = await service.request<{ data: { id: number }[] }>(path, { key: teacher.key });
      return json.data.map(({ id }) => id);
    };
    const place = { assistant_ids: [own.id] };

    expect(await usable()).to.deep.equal([]);
    refusalOf(await configuring(world, activity, teacher, place), 422);
    refusalOf(await link(student.key, account.email), 403);
    refusalOf(await link(teacher.key, account.email, 'wrong'), 403);
    refusalOf(await link(teacher.key, foreign.email), 403);
    const linked = await link(teacher.key, account.email);
    expect(linked.json).to.deep.equal({
      account: { email: account.email, name: 'Ada', is_administrator: false },
    });
    expect(await usable()).to.deep.equal([own.id]);
    expect((await configuring(world, activity, teacher, place)).status).to.equal(200);
    const kept = await inDatabase(service, ({ activities }) => activities.get(activity.id));
    expect(kept!.assistants).to.deep.equal([{ assistantId: own.id, addedBy: account.id }]);
    expect((await configuring(world, activity, account)).status).to.equal(200);
    expect((await auditOf(service, teacher)).map(({ action, outcome }) => [action, outcome])).to.deep.equal([
      ['link account', 'denied'],
      ['link account', 'done'],
      ['change activity', 'done'],
    ]);

    await service.request(`${SESSION}/account`, { method: 'DELETE', key: teacher.key });
    expect([(await sessionOf(teacher)).account, await usable()]).to.deep.equal([null, []]);
  });

  it('is told in the usage by activity, and alone where an activity or a course is asked for', async () => {
    const { service } = world;
    const course = await aCourse(world, [say('Hello.')]);
    const { key } = await course.visitor();
    await service.chat(course.assistant.id, 'Hi', { key });

    const path = '/lamb/v1/usage?group_by=activity';
    const { json } = await service.request<{ rows: { key: string; label: string; runs: number }[] }>(path, {
      key: course.owner.key,
    });

    const administrator = await aColleagueOf(service, course.owner, 'org_admin');
    const courses = await service.request<{ data: { id: number }[] }>('/lamb/v1/lti/courses', administrator);
    const runsOf = async (filter: string) => {
      const { json: report } = await service.request<{ total: { runs: number } }>(
        `/lamb/v1/usage?${filter}`,
        administrator,
      );
      return report.total.runs;
    };
    const courseId = courses.json.data[0]!.id;
    await service.chat(course.assistant.id, 'Hi', { key: course.owner.key });

    expect(json.rows.map(({ key: id, label, runs }) => [id, label, runs])).to.deep.equal([
      [String(course.activity.id), 'AI tutor · Biology 101', 1],
    ]);
    expect(await runsOf('')).to.equal(2);
    expect(await runsOf(`activity_id=${String(course.activity.id)}`)).to.equal(1);
    expect(await runsOf(`course_id=${String(courseId)}`)).to.equal(1);
    expect(await runsOf('course_id=2147483647')).to.equal(0);
  });
});
