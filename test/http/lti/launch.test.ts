import { expect } from 'chai';
import { launch, openSession, requestSession } from '../../support/lti-platform/launching.js';
import { createJar, sendForm } from '../../support/lti-platform/web-forms.js';
import { auditOf, type Door, rowsOf, theDoor } from '../support/lti-launch-client.js';

const COOKIE = '__Host-bellwether-lti';

describe('a launch of LTI 1.3', function () {
  this.timeout(60_000);

  let door: Door;
  before(async () => {
    door = await theDoor();
  });

  for (const loginMethod of ['POST', 'GET'] as const)
    it(`leads from a login by ${loginMethod} to the page of the activity and its API`, async () => {
      const { platform, tool } = door;

      const launched = await launch(platform, { tool, as: 'student1', loginMethod });
      const api = await openSession(launched);

      expect(launched.status).to.equal(303);
      expect(launched.headers.get('location')).to.match(/^\/lti\/activity\/[\w-]+$/);
      expect(launched.headers.get('cache-control')).to.equal('no-store');
      expect(api.token).to.match(/^bwl_[0-9a-f]{64}$/);
      expect(Date.parse(api.expiresAt) - Date.now()).to.be.within(7.9 * 3_600_000, 8 * 3_600_000);
      expect((await api.request('/lamb/v1/conversations')).status).to.equal(200);
      expect((await api.request('/lamb/v1/assistants')).status).to.equal(403);
    });

  it('makes its course known, and lets whoever teaches set a budget of the activity, with the token of the launch', async () => {
    const { platform, tool, service } = door;
    const [teacher, student] = [
      await openSession(await launch(platform, { tool, as: 'teacher1' })),
      await openSession(await launch(platform, { tool, as: 'student1' })),
    ];
    const { json } = await teacher.request<{ activity: { id: number; course_title: string } }>(
      '/lamb/v1/lti/session',
    );
    const scope = { type: 'activity', id: json.activity.id, each: true };
    const body = { scope, unit: 'requests', amount: 7, period: 'day' };

    const made = await teacher.request<{ id: string }>('/lamb/v1/budgets', { method: 'POST', body });
    const refused = await student.request('/lamb/v1/budgets', { method: 'POST', body });
    const mine = await student.request<{ budgets: object[] }>('/lamb/v1/budgets/mine');
    const { id } = made.json;
    const deleted = await teacher.request(`/lamb/v1/budgets/${id}`, { method: 'DELETE' });

    expect([made.status, refused.status, deleted.status]).to.deep.equal([201, 403, 204]);
    expect(mine.json.budgets).to.have.length(1);
    expect(mine.json.budgets[0]).to.deep.include({ id, scope, remaining: 7, questions_left: 7 });
    const courses = await service.request<{ data: { title: string }[] }>('/lamb/v1/lti/courses');
    expect(courses.json.data.map(({ title }) => title)).to.include(json.activity.course_title);
  });

  it('asks the platform with what it wants to hear, the hint byte by byte, and a fixed address', async () => {
    const { platform, tool, service } = door;
    const hint = '{"cmid":5,"launchid":"ltilaunch1_408957818 +%&é"}';
    const fields = {
      iss: platform.issuer,
      login_hint: '4',
      client_id: tool.clientId,
      target_link_uri: `${service.url}/lti/launch?assistant=77`,
      lti_message_hint: hint,
    };

    const asked = await sendForm(`${service.url}/lti/login`, fields);
    const to = new URL(asked.location!);

    expect(asked.status).to.equal(302);
    expect(to.origin + to.pathname).to.equal(`${platform.issuer}/mod/lti/auth.php`);
    expect(Object.fromEntries(to.searchParams)).to.include({
      ...{ scope: 'openid', response_type: 'id_token', response_mode: 'form_post', prompt: 'none' },
      ...{ client_id: tool.clientId, login_hint: '4', lti_message_hint: hint },
      redirect_uri: `${service.url}/lti/launch`,
    });
    expect(to.searchParams.get('state')).to.have.length(43);
    expect(to.searchParams.get('nonce')).to.have.length(43);
  });

  it('has a cookie that works in frames, belongs to this host alone and is read by no script', async () => {
    const { platform, tool } = door;
    const jar = createJar();

    const { cookies } = await launch(platform, { tool, as: 'student1', jar });

    expect(cookies).to.have.length(1);
    expect(cookies[0]).to.match(
      /^__Host-bellwether-lti=[\w-]{43}; Secure; HttpOnly; Path=\/; SameSite=None; Partitioned$/,
    );
    const before = jar.get(COOKIE);
    await launch(platform, { tool, as: 'student1', jar });
    expect(jar.get(COOKIE), 'the same person keeps it').to.equal(before);
  });

  it('knows people without anything personal, and finds them again', async () => {
    const { platform, tool, db } = door;
    await launch(platform, { tool, as: 'student2' });
    const rows = await rowsOf(door);

    await launch(platform, { tool, as: 'student2' });

    expect(await rowsOf(door)).to.deep.equal({ ...rows, lti_sessions: rows['lti_sessions']! + 1 });
    const [person] = await db('lti_people')
      .join('users', 'users.id', 'lti_people.user_id')
      .where({ subject: '5', platform_id: tool.platformId })
      .select('users.*');
    expect(person).to.include({ name: '', role: 'student', password_hash: null });
    expect(person.email).to.match(/^[\w-]+@lti\.invalid$/);
    const sessions = JSON.stringify(await db('lti_sessions'));
    expect(sessions).to.not.match(/Sofia|Biology|example\.test/);
  });

  it('keeps roles apart, and what is chosen for a new link apart from activities', async () => {
    const { platform, tool, db } = door;
    const [student, teacher, choosing] = [
      await launch(platform, { tool, as: 'student1' }),
      await launch(platform, { tool, as: 'teacher1' }),
      await launch(platform, { tool, as: 'teacher1', activity: 'deep_link' }),
    ];
    const sessionOf = ({ session }: typeof student) => db('lti_sessions').where('id', session!).first();

    expect(await sessionOf(student)).to.include({ role: 'learner', course_id: '2' });
    expect(await sessionOf(teacher)).to.include({ role: 'instructor' });
    expect(await sessionOf(choosing)).to.include({ role: 'instructor', activity_id: null });
    expect(choosing.headers.get('location')).to.match(/^\/lti\/deep-link\/[\w-]+$/);
    const api = await openSession(choosing);
    expect((await api.request('/lamb/v1/conversations')).status).to.be.oneOf([200, 403]);
  });

  it('takes a choice of content at its own address as well', async () => {
    const { platform, tool, service } = door;
    const postTo = `${service.url}/lti/deep-link`;

    const choosing = await launch(platform, { tool, as: 'teacher1', activity: 'deep_link', postTo });

    expect(choosing.status).to.equal(303);
    expect((await requestSession(choosing)).status).to.equal(200);
  });

  it('lets people in whose platform says next to nothing about them', async () => {
    const { platform, service } = door;
    const shy = await platform.addTool(service, { privacy: 'minimum' });

    const launched = await launch(platform, { tool: shy, as: 'student1' });

    expect(launched.status).to.equal(303);
    expect((await openSession(launched)).token).to.match(/^bwl_/);
  });

  it('leaves no line in the audit when all is well', async () => {
    const { platform, tool } = door;
    const before = (await auditOf(door)).length;

    await launch(platform, { tool, as: 'student1' });

    expect(await auditOf(door)).to.have.length(before);
  });
});
