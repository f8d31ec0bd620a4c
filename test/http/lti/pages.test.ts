import { expect } from 'chai';
import { LTI } from '../../support/lti-platform/claims.js';
import { launch, type Launched } from '../../support/lti-platform/launching.js';
import { createJar, sendForm } from '../../support/lti-platform/web-forms.js';
import { type Door, theDoor } from '../support/lti-launch-client.js';

const directive = (headers: Headers, name: string) =>
  (headers.get('content-security-policy') ?? '')
    .split('; ')
    .find((each) => each.startsWith(`${name} `))
    ?.slice(name.length + 1)
    .split(' ');

describe('a page at the door', function () {
  this.timeout(60_000);

  let door: Door;
  before(async () => {
    door = await theDoor();
  });

  const pageOf = ({ location, jar }: Pick<Launched, 'location' | 'jar'>) =>
    sendForm(location!, {}, { method: 'GET', jar });

  it('of an activity is shown in pages of its platform, and of no other (W5)', async () => {
    const { platform, service } = door;
    const tool = await platform.addTool(service, {
      ...{
        issuer: 'https://moodle.example/site',
        register: { auth_login_url: `${platform.issuer}/mod/lti/auth.php` },
      },
    });
    const launched = await launch(platform, { tool, as: 'student1' });

    const { status, headers, body } = await pageOf(launched);

    expect(status).to.equal(200);
    expect(body).to.contain('id="app"');
    expect(directive(headers, 'frame-ancestors')).to.have.members([
      'https://moodle.example',
      platform.issuer,
    ]);
    expect(directive(headers, 'form-action')).to.deep.equal(["'self'"]);
    expect(directive(headers, 'script-src')).to.deep.equal(["'self'"]);
    expect(headers.get('x-frame-options')).to.equal(null);
    expect(headers.get('x-content-type-options')).to.equal('nosniff');
  });

  it('where content is chosen may send the choice back to the platform', async () => {
    const { platform, tool } = door;
    const launched = await launch(platform, { tool, as: 'teacher1', activity: 'deep_link' });

    const { status, headers } = await pageOf(launched);

    expect(status).to.equal(200);
    expect(directive(headers, 'form-action')).to.deep.equal(["'self'", platform.issuer]);
  });

  it('of a visit that is not known is shown in pages of registered platforms (W5)', async () => {
    const { platform, service } = door;
    await platform.addTool(service, {
      issuer: 'https://switched-off.example',
      register: { enabled: false, auth_login_url: 'https://switched-off.example/auth' },
    });

    for (const path of ['/lti/activity/unknown', '/lti/deep-link', '/lti/deep-link/unknown']) {
      const { status, headers } = await service.request(path, { key: null });
      expect(status).to.equal(200);
      expect(directive(headers, 'frame-ancestors'))
        .to.include(platform.issuer)
        .and.not.include('https://switched-off.example');
    }
  });

  it('of those who administer is shown in no other (W5)', async () => {
    for (const path of ['/', '/admin', '/sign-in']) {
      const { headers } = await door.service.request(path, { key: null });
      expect(directive(headers, 'frame-ancestors')).to.deep.equal(["'none'"]);
    }
  });

  it('says that the cookie was lost, when a visit is there and the cookie is not', async () => {
    const { platform, tool } = door;
    const launched = await launch(platform, { tool, as: 'student1' });

    const { status, body } = await pageOf({ ...launched, jar: createJar() });

    expect(status).to.equal(403);
    expect(body).to.contain('cookie').and.contain('https');
  });

  for (const [wished, lang, words] of [
    ['en-GB', 'en', 'Go back to your course'],
    ['es-MX,en;q=0.5', 'es', 'Vuelva a su curso'],
    ['ca', 'ca', 'Torneu al vostre curs'],
    ['eu,es;q=0.5', 'eu', 'Itzuli zure ikastarora'],
    ['fi', 'en', 'Go back to your course'],
  ] as const)
    it(`says to readers of ${wished} why nobody is let in, in ${lang}`, async () => {
      const url = `${door.service.url}/lti/launch`;
      const { body, headers } = await sendForm(
        url,
        { state: 'x' },
        { headers: { 'accept-language': wished } },
      );

      expect(headers.get('content-language')).to.equal(lang);
      expect(body).to.contain(`<html lang="${lang}">`).and.contain(words);
      expect(body).to.contain(headers.get('x-request-id')!);
      expect(directive(headers, 'default-src')).to.deep.equal(["'none'"]);
      expect(directive(headers, 'frame-ancestors')).to.include(door.platform.issuer);
      expect(headers.get('x-frame-options')).to.equal(null);
    });

  it('says to whoever looks at the address itself where to begin', async () => {
    for (const path of ['/lti/launch', '/lti/v1p1/launch', '/lti/continue']) {
      const { status, body, headers } = await sendForm(door.service.url + path, {}, { method: 'GET' });
      expect([status, headers.get('allow')]).to.deep.equal([405, 'POST']);
      expect(body).to.contain('Open this from your course');
    }
  });

  it('tells others than browsers the same as JSON', async () => {
    const { status, json } = await door.service.request('/lti/launch', {
      ...{ key: null, method: 'POST', body: new URLSearchParams({ state: 'x' }) },
    });

    expect(status).to.equal(403);
    expect(json).to.have.nested.property('error.code', 'launch_stale');
    expect(json).to.have.nested.property('error.type', 'permission_error');
  });

  it('offers a window in the language of the course, and shows names as text (W3)', async () => {
    const jar = { ...createJar(), take: () => undefined };
    const name = '<img src=x onerror=alert(1)> "Sam"';

    const { body, headers } = await launch(door.platform, {
      ...{ tool: door.tool, as: 'student1', jar, headers: { 'accept-language': 'en' } },
      change: (claims) => ({
        ...claims,
        name,
        [`${LTI}launch_presentation`]: { locale: 'ca', document_target: 'iframe' },
      }),
    });

    expect(headers.get('content-language')).to.equal('ca');
    expect(body).to.contain('Continua com a &lt;img src=x').and.not.contain('<img');
  });

  it('names nobody where the platform keeps names to itself', async () => {
    const { platform, service } = door;
    const shy = await platform.addTool(service, { privacy: 'minimum' });
    const jar = { ...createJar(), take: () => undefined };

    const { body } = await launch(platform, { tool: shy, as: 'student1', jar });

    expect(body).to.contain('Continue in a new window');
  });
});
