import { expect } from 'chai';
import { LTI } from '../../support/lti-platform/claims.js';
import { launch } from '../../support/lti-platform/launching.js';
import { type LtiPlatform, startLtiPlatform } from '../../support/lti-platform/platform.js';
import { type FakeMoodle, startFakeMoodle } from '../../support/moodle.js';
import { sharedService, type TestService } from '../../support/test-service.js';
import { refusalOf } from '../support/refusal.js';
import { aPupil, type Pupil, type PupilFacts } from '../support/students-fixture.js';
import { aColleagueOf, aPerson, auditOf, type Person } from '../support/users-fixture.js';

interface Check {
  readonly name: string;
  readonly ok: boolean | null;
  readonly finding: string;
  readonly missing: readonly string[];
  readonly message: string;
}
interface Outcome {
  readonly ok: boolean;
  readonly user_id: number | null;
  readonly checks: readonly Check[];
}

describe('asking Moodle as for a student', function () {
  this.timeout(60_000);
  let world: TestService;
  let moodle: FakeMoodle;
  let platform: LtiPlatform;
  before(async () => {
    [world, moodle, platform] = await Promise.all([sharedService(), startFakeMoodle(), startLtiPlatform()]);
  });
  after(() => Promise.all([moodle.stop(), platform.stop()]));

  const administratorOf = async (pupil: Pupil) => aColleagueOf(world.service, pupil, 'org_admin');
  const ask = (person: Person, body: object) =>
    world.service.request<Outcome>(`/lamb/v1/organizations/${String(person.organizationId)}/moodle/check`, {
      key: person.key,
      body,
    });
  const checked = async (facts: PupilFacts, bodyOf: (pupil: Pupil) => object) => {
    const pupil = await aPupil({ world, moodle }, facts);
    const administrator = await administratorOf(pupil);
    const answer = await ask(administrator, bodyOf(pupil));
    expect(answer.status, answer.text).to.equal(200);
    const amiss = answer.json.checks.filter(({ ok }) => ok === false);
    return { ...answer.json, pupil, administrator, amiss, text: answer.text };
  };
  const byId = ({ moodleId }: Pupil) => ({ user_id: moodleId });
  const byEmail = ({ email }: Pupil) => ({ email });
  /** Somebody comes to learn, from a platform that is this very site. */
  const comes = async (pupil: Pupil, courseId: number) => {
    const tool = await platform.addTool(world.service, {
      ...{ issuer: moodle.url, register: { organization_id: pupil.organizationId } },
    });
    const { status } = await launch(platform, {
      ...{ tool, as: 'student1' },
      change: (claims) => ({
        ...claims,
        sub: String(pupil.moodleId),
        [`${LTI}context`]: { id: String(courseId), title: 'Biology', type: ['CourseSection'] },
      }),
    });
    expect(status).to.equal(303);
  };

  it('finds nothing amiss where nothing is, and tells numbers alone', async () => {
    const { ok, checks, pupil, administrator, text } = await checked({}, byEmail);

    expect(ok, JSON.stringify(checks)).to.equal(true);
    expect(checks.map(({ name, finding }) => [name, finding])).to.deep.equal([
      ['connection', 'answers'],
      ['person', 'found'],
      ['courses', 'shown'],
      ['assignments', 'shown'],
      ['grades', 'shown'],
      ['deadlines', 'shown'],
    ]);
    expect(text)
      .not.to.match(/Biology|Essay|\b83\b/)
      .and.not.contain(pupil.token);
    const [row] = (await auditOf(world.service, administrator)).slice(-1);
    expect(row).to.include({ action: 'check Moodle', outcome: 'done', reason: 'nothing amiss' });
    expect(JSON.stringify(row)).not.to.contain(pupil.email);
  });

  for (const [lacks, bodyOf, name, capability] of [
    ['moodle/user:viewdetails', byId, 'courses', 'moodle/user:viewdetails'],
    ['moodle/site:viewuseridentity', byEmail, 'person', 'moodle/site:viewuseridentity'],
    ['mod/assign:view', byId, 'grades', 'mod/assign:view'],
    ['moodle/calendar:manageentries', byId, 'deadlines', 'moodle/calendar:manageentries'],
    ['moodle/course:view', byId, 'assignments', 'moodle/course:view'],
  ] as const)
    it(`names ${lacks} first where the token’s user lacks it`, async () => {
      const { ok, amiss } = await checked({ lacks: [lacks] }, bodyOf);

      expect(ok).to.equal(false);
      expect(amiss.map((each) => each.name)).to.deep.equal([name]);
      expect(amiss[0]!.missing[0]).to.equal(capability);
      expect(amiss[0]!.message).to.contain(capability);
    });

  it('names moodle/site:accessallgroups where a course that they came from has separate groups', async () => {
    const lacks = ['moodle/site:accessallgroups'];
    const pupil = await aPupil({ world, moodle }, { lacks, separateGroups: true });
    await comes(pupil, pupil.course.id);

    const { json } = await ask(await administratorOf(pupil), byId(pupil));

    const amiss = json.checks.filter(({ ok }) => ok === false);
    expect(amiss.map(({ name, missing }) => [name, missing])).to.deep.equal([
      ['courses', lacks],
      ['grades', lacks],
    ]);
  });

  it('asks about whoever came last to learn where nobody is named, and knows which course is kept back', async () => {
    const pupil = await aPupil({ world, moodle }, { lacks: ['moodle/user:viewdetails'] });
    const administrator = await administratorOf(pupil);
    refusalOf(await ask(administrator, {}), 409);
    await comes(pupil, pupil.course.id);

    const { json } = await ask(administrator, {});

    expect(json.user_id).to.equal(pupil.moodleId);
    expect(json.checks.find(({ name }) => name === 'courses')).to.deep.include({
      ...{ ok: false, finding: 'all_missing' },
    });
  });

  it('names the view of every graded type that is missing among the grades: what has a date, what was posted from here', async () => {
    const pupil = await aPupil({ world, moodle }, { lacks: ['mod/lti:view', 'mod/quiz:view'] });
    const where = { userid: pupil.moodleId, courseid: pupil.course.id };
    await moodle.add({
      events: [{ ...where, cmid: 5, name: 'Quiz closes', modulename: 'quiz' }],
      grades: [{ ...where, itemname: 'AI tutor', itemmodule: 'lti', graderaw: 90 }],
    });
    await comes(pupil, pupil.course.id);

    const { json } = await ask(await administratorOf(pupil), byId(pupil));

    const grades = json.checks.find(({ name }) => name === 'grades')!;
    expect(grades.finding).to.equal('left_out');
    expect(grades.missing).to.have.members(['mod/lti:view', 'mod/quiz:view']);
  });

  for (const [fault, finding] of [
    ['invalidtoken', 'token_refused'],
    ['wsaccessusersuspended', 'account_off'],
    ['sitemaintenance', 'maintenance'],
    ['off', 'services_off'],
    ['redirect', 'moved'],
    ['html', 'unreachable'],
    ['reset', 'unreachable'],
  ] as const)
    it(`says of a Moodle that fails (${fault}) what is wrong with the connection, in words of ours`, async () => {
      const { ok, checks, pupil, text } = await checked({ fault }, byId);

      expect(ok).to.equal(false);
      expect(checks.map((each) => [each.name, each.finding])).to.deep.equal([['connection', finding]]);
      expect(text)
        .not.to.contain(pupil.token)
        .and.not.match(/weblib|Sign in/);
    });

  it('says which function is not in the service of the token', async () => {
    const only = 'mod_assign_get_assignments';
    const { amiss } = await checked({ fault: 'accessexception', only }, byId);

    expect(amiss).to.have.length(1);
    expect(amiss[0]).to.deep.include({ name: 'assignments', finding: 'not_in_service', function: only });
  });

  it('tries what is not saved yet, and sends a stored token to no other address than its own', async () => {
    const pupil = await aPupil({ world, moodle });
    const administrator = await administratorOf(pupil);
    const other = await aPerson(world.service, { role: 'org_admin' });
    const user_id = pupil.moodleId;
    const asked = (await moodle.ledger(pupil.token)).length;

    const moved = await ask(administrator, { user_id, api_url: 'http://127.0.0.1:9' });
    const masked = await ask(administrator, { user_id, api_url: 'http://127.0.0.1:9', token: '••••' });
    const unset = await ask(other, { user_id });
    const typed = await ask(other, { user_id, api_url: `${moodle.url}/`, token: await moodle.token() });

    expect([refusalOf(moved, 400).param, refusalOf(masked, 400).param]).to.deep.equal(['token', 'token']);
    expect(refusalOf(unset, 422).code).to.equal('not_configured');
    expect([typed.status, typed.json.ok]).to.deep.equal([200, true]);
    expect(await moodle.ledger(pupil.token)).to.have.length(asked);
  });

  it('is for administrators of the organisation, about one person at a time', async () => {
    const pupil = await aPupil({ world, moodle });
    const administrator = await administratorOf(pupil);
    const foreign = await aPerson(world.service, { role: 'org_admin' });

    refusalOf(await ask(pupil, byId(pupil)), 403);
    refusalOf(await ask({ ...foreign, organizationId: pupil.organizationId }, byId(pupil)), 404);
    for (const body of [
      { user_id: 0 },
      { user_id: '4' },
      { email: '' },
      { ...byId(pupil), ...byEmail(pupil) },
      { name: 'x' },
    ])
      expect((await ask(administrator, body)).status, JSON.stringify(body)).to.be.within(400, 422);
    expect(await moodle.ledger(pupil.token)).to.deep.equal([]);
  });
});
