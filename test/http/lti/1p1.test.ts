import { expect } from 'chai';
import { launch11, openSession, pressOn } from '../../support/lti-platform/launching.js';
import type { OurTool } from '../../support/lti-platform/platform.js';
import { createJar, sendForm } from '../../support/lti-platform/web-forms.js';
import { type Door, expectRefused, rowsOf, theDoor } from '../support/lti-launch-client.js';

const now = () => Math.floor(Date.now() / 1_000);

describe('a launch of LTI 1.1', function () {
  this.timeout(60_000);

  let door: Door;
  let tool: OurTool;
  before(async () => {
    door = await theDoor();
    tool = await door.platform.addTool(door.service, {
      ...{ version: '1.1', register: { site_url: door.platform.issuer } },
    });
  });

  const coming = (options: Partial<Parameters<typeof launch11>[1]> = {}) =>
    launch11(door.platform, { tool, as: 'student3', ...options });

  it('goes by a page that sends itself on, since only then is there a cookie, to the API', async () => {
    const rows = await rowsOf(door);
    const launched = await coming();

    expect(launched.status).to.equal(200);
    expect(launched.body).to.contain('<script src="/lti/submit.js"></script>').and.contain('<button');
    expect(await rowsOf(door), 'nobody is there before the cookie is').to.deep.equal(rows);
    const inside = await pressOn(launched);
    expect(inside.status).to.equal(303);
    const api = await openSession(inside);
    expect((await api.request('/lamb/v1/conversations')).status).to.equal(200);
  });

  it('tells teachers from students', async () => {
    const { session } = await pressOn(await coming({ as: 'teacher2' }));

    expect(await door.db('lti_sessions').where('id', session!).first()).to.include({ role: 'instructor' });
  });

  it('is offered a window of its own where no cookie comes back', async () => {
    const launched = await coming();

    const offered = await pressOn(launched, createJar());

    expect(offered.status).to.equal(403);
    expect(offered.body).to.contain('Continue as Soren Student').and.contain('target="_blank"');
    const inside = await pressOn(offered, createJar());
    expect(inside.status).to.equal(303);
    expect((await openSession(inside)).token).to.match(/^bwl_/);
  });

  it('has the service send a script that does nothing but press the button', async () => {
    const { status, text, headers } = await door.service.request('/lti/submit.js', { key: null });

    expect([status, headers.get('content-type')]).to.deep.equal([200, 'text/javascript; charset=utf-8']);
    expect(text).to.equal("document.querySelector('form').submit();\n");
  });

  type Coming = Partial<Parameters<typeof launch11>[1]>;
  const BAD: Readonly<Record<string, () => Coming>> = {
    'a bad signature': () => ({
      tamper: (pairs) => pairs.map(([name, value]) => [name, name === 'oauth_signature' ? 'AAAA' : value]),
    }),
    'no signature': () => ({ tamper: (pairs) => pairs.filter(([name]) => name !== 'oauth_signature') }),
    'a signature by another secret': () => ({ sign: { secret: 'another secret' } }),
    'a signature by no secret': () => ({ sign: { secret: '' } }),
    'another consumer key': () => ({ sign: { consumerKey: 'nobody' } }),
    'a time 301 seconds ago': () => ({ sign: { timestamp: now() - 302 } }),
    'a time in 301 seconds': () => ({ sign: { timestamp: now() + 310 } }),
    'a time that is none': () => ({ sign: { timestamp: 'now' } }),
    'a parameter added': () => ({ tamper: (pairs) => [...pairs, ['custom_more', '1']] }),
    'a role added': () => ({ tamper: (pairs) => [...pairs, ['roles', 'Instructor']] }),
    'a parameter changed': () => ({
      tamper: (pairs) => pairs.map(([name, value]) => [name, name === 'user_id' ? '3' : value]),
    }),
    'a parameter taken away': () => ({ tamper: (pairs) => pairs.filter(([name]) => name !== 'context_id') }),
    'a parameter twice, signed': () => ({ change: (pairs) => [...pairs, ['user_id', '3']] }),
    'a signature in plain text': () => ({ sign: { method: 'PLAINTEXT' } }),
    'another way of signing': () => ({ sign: { method: 'HMAC-SHA256' } }),
    'no user': () => ({ change: (pairs) => pairs.filter(([name]) => name !== 'user_id') }),
    'no link': () => ({ change: (pairs) => pairs.filter(([name]) => name !== 'resource_link_id') }),
    'another message': () => ({
      change: (pairs) => pairs.map(([name, value]) => [name, name === 'lti_message_type' ? 'x' : value]),
    }),
    'another version': () => ({
      change: (pairs) => pairs.map(([name, value]) => [name, name === 'lti_version' ? 'LTI-2p0' : value]),
    }),
    'an address it was not signed for': () => ({ postTo: `${tool.launchUrl}?more=1` }),
  };

  for (const [what, wrong] of Object.entries(BAD))
    it(`is refused with ${what} (L14)`, async () => {
      await expectRefused(door, () => coming(wrong()));
      await expectRefused(door, () => coming({ ...wrong(), as: 'teacher2' }));
    });

  it('is refused when its nonce came before, which is remembered only of signatures that hold (L14)', async () => {
    const nonce = 'a-nonce-of-its-own';
    await expectRefused(door, () => coming({ sign: { nonce, secret: 'another secret' } }));

    const good = await coming({ sign: { nonce } });

    expect(good.status).to.equal(200);
    const reason = 'nonce';
    await expectRefused(door, () => sendForm(good.postedTo, good.pairs), { reason });
    await expectRefused(door, () => coming({ sign: { nonce } }), { reason });
  });

  it('is refused while its platform is switched off, also when it had begun before', async () => {
    const { service, platform } = door;
    const off = await platform.addTool(service, { version: '1.1' });
    const begun = await launch11(platform, { tool: off, as: 'student3' });
    const path = `/lamb/v1/lti/platforms/${String(off.platformId)}`;
    await service.request(path, { method: 'PATCH', body: { enabled: false } });

    await expectRefused(door, () => pressOn(begun), { reason: 'switched off' });
    await expectRefused(door, () => launch11(platform, { tool: off, as: 'student3' }), {
      reason: 'switched off',
    });
  });
});
