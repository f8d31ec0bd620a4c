import { expect } from 'chai';
import {
  launch,
  openSession,
  pressOn,
  replay,
  requestSession,
} from '../../support/lti-platform/launching.js';
import { createJar, sendForm } from '../../support/lti-platform/web-forms.js';
import { auditOf, type Door, expectRefused, rowsOf, theDoor } from '../support/lti-launch-client.js';

const COOKIE = '__Host-bellwether-lti';

describe('a browser whom a platform launches', function () {
  this.timeout(60_000);

  let door: Door;
  before(async () => {
    door = await theDoor();
  });

  /** Keeps nothing of what it is given. */
  const forgetful = () => {
    const jar = createJar();
    return { ...jar, take: () => undefined };
  };
  const comingWithoutCookies = (as = 'student1', options: object = {}) =>
    launch(door.platform, { tool: door.tool, as, jar: forgetful(), ...options });

  it('is told whom it would be when it sends no cookie, and nobody is there yet', async () => {
    const [rows, audit] = [await rowsOf(door), await auditOf(door)];

    const offered = await comingWithoutCookies();

    expect(offered.status).to.equal(403);
    expect(offered.body).to.contain('Continue as Sam Student').and.contain('target="_blank"');
    expect(offered.cookies).to.deep.equal([]);
    expect(await rowsOf(door)).to.deep.equal(rows);
    expect(await auditOf(door)).to.deep.equal(audit);
  });

  it('goes on in a window of its own, once', async () => {
    const offered = await comingWithoutCookies();

    const inside = await pressOn(offered, createJar());

    expect(inside.status).to.equal(303);
    expect((await openSession(inside)).token).to.match(/^bwl_/);
    await expectRefused(door, () => pressOn(offered, createJar()), { reason: 'ticket' });
    await expectRefused(door, () => replay({ ...inside, form: { ticket: 'made up' } }), { status: 403 });
  });

  it('does not go on from a page of somebody else, which could make it somebody else', async () => {
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      {},
      { origin: door.service.url, 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[]) {
      const { form } = await offeredForm();
      await expectRefused(door, async () => {
        const {
          status,
          text,
          headers: answered,
        } = await door.service.request('/lti/continue', {
          ...{ method: 'POST', key: null, headers: { ...headers, accept: 'text/html' } },
          body: new URLSearchParams(form),
        });
        return { status, body: text, headers: answered };
      });
    }
  });

  const offeredForm = async () => {
    const { body } = await comingWithoutCookies();
    const ticket = /name="ticket" value="([\w-]+)"/.exec(body)![1]!;
    return { form: { ticket } };
  };

  it('is a new one when somebody else launches in it, and theirs is over (L16)', async () => {
    const { platform, tool } = door;
    const jar = createJar();
    const first = await launch(platform, { tool, as: 'student1', jar });
    const firstApi = await openSession(first);
    const firstSecret = jar.get(COOKIE)!;

    const second = await launch(platform, { tool, as: 'student2', jar });
    const secondApi = await openSession(second);

    expect(jar.get(COOKIE)).to.not.equal(firstSecret);
    expect((await firstApi.request('/lamb/v1/conversations')).status).to.equal(401);
    expect((await requestSession(first)).status, 'by the page still open').to.equal(401);
    const asBefore = { ...first, jar: createJar({ [COOKIE]: firstSecret }) };
    expect((await requestSession(asBefore)).status, 'by the old cookie').to.equal(401);
    expect((await secondApi.request('/lamb/v1/conversations')).status).to.equal(200);
  });

  it('holds several visits of one person', async () => {
    const { platform, tool } = door;
    const jar = createJar();
    const one = await launch(platform, { tool, as: 'student1', jar });
    const other = await launch(platform, { tool, as: 'student1', jar });

    const [a, b] = [await openSession(one), await openSession(other)];

    expect(a.token).to.not.equal(b.token);
    expect((await a.request('/lamb/v1/conversations')).status).to.equal(200);
  });

  it('gets no token for a visit that is not its own, unknown or over', async () => {
    const { platform, tool, db } = door;
    const mine = await launch(platform, { tool, as: 'student1' });
    const theirs = await launch(platform, { tool, as: 'student2' });

    for (const asked of [
      { ...mine, session: theirs.session },
      { ...mine, jar: createJar() },
      { ...mine, session: 'unknown' },
    ]) {
      const answer = await requestSession(asked);
      expect(answer.status).to.equal(401);
      expect(answer.json).to.have.nested.property('error.code', 'launch_over');
    }
    const api = await openSession(mine);
    await db('lti_sessions').where('id', mine.session!).update({ expires_at: '2020-01-01T00:00:00.000Z' });
    expect((await requestSession(mine)).status).to.equal(401);
    expect((await api.request('/lamb/v1/conversations')).status).to.equal(401);
  });

  it('gets a token for pages of ours alone, by JSON alone (W4)', async () => {
    const launched = await launch(door.platform, { tool: door.tool, as: 'student1' });

    const CASES: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: door.platform.issuer },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
    ];
    for (const headers of CASES) {
      const before = (await auditOf(door)).length;
      const { status, headers: answered } = await requestSession(launched, headers);
      expect(status, JSON.stringify(headers)).to.equal(403);
      expect(answered.get('access-control-allow-origin')).to.equal(null);
      expect(await auditOf(door)).to.have.length(before + 1);
    }
    const answer = await requestSession(launched);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('cache-control')).to.equal('no-store');
  });

  it('is never that of two people who launch in it at the same moment (L16)', async () => {
    const { platform, tool, db } = door;
    const jar = createJar();
    await launch(platform, { tool, as: 'student1', jar });
    const nowhere = `${door.service.url}/healthz`;
    const begun = await Promise.all(
      ['student1', 'student2', 'student3', 'teacher1'].map((as) =>
        launch(platform, { tool, as, jar, postTo: nowhere }),
      ),
    );

    const header = jar.header();
    const answers = await Promise.all(
      begun.map(({ form }) => sendForm(tool.launchUrl, form, { headers: header })),
    );

    for (const { status } of answers) expect(status).to.be.oneOf([303, 403]);
    const shared = (await db('lti_sessions')
      .groupBy('browser_hash')
      .havingRaw('count(distinct user_id) > 1')
      .select('browser_hash')) as unknown[];
    expect(shared).to.deep.equal([]);
  });

  it('is refused when too long has passed since it was sent to the platform', async () => {
    const { platform, tool, db } = door;
    const begun = await launch(platform, { tool, as: 'student1', postTo: `${door.service.url}/healthz` });
    await db('one_time_tickets').update({ expires_at: '2020-01-01T00:00:00.000Z' });

    await expectRefused(door, () => replay(begun, tool.launchUrl), { reason: 'too old' });
  });

  it('is refused for somebody whose account is switched off', async () => {
    const { platform, tool, db } = door;
    const api = await openSession(await launch(platform, { tool, as: 'student6' }));
    const person = db('lti_people').where({ platform_id: tool.platformId, subject: '9' }).select('user_id');
    await db('users').whereIn('id', person).update({ enabled: false });

    expect((await api.request('/lamb/v1/conversations')).status).to.equal(401);
    await expectRefused(door, () => launch(platform, { tool, as: 'student6' }), { reason: 'switched off' });
  });

  it('loses its visit with its platform', async () => {
    const { service, platform } = door;
    const tool = await platform.addTool(service);
    const api = await openSession(await launch(platform, { tool, as: 'student1' }));

    await service.request(`/lamb/v1/lti/platforms/${String(tool.platformId)}`, {
      ...{ method: 'PATCH', body: { enabled: false } },
    });

    expect((await api.request('/lamb/v1/conversations')).status).to.equal(401);
  });
});
