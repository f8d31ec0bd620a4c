import { expect } from 'chai';
import { LTI } from '../../support/lti-platform/claims.js';
import { launch, replay } from '../../support/lti-platform/launching.js';
import { makeKey, publicPem } from '../../support/lti-platform/signing.js';
import { createJar, sendForm } from '../../support/lti-platform/web-forms.js';
import { auditOf, type Door, expectRefused, theDoor } from '../support/lti-launch-client.js';

const COOKIE = '__Host-bellwether-lti';

describe('a launch that is not to be believed', function () {
  this.timeout(60_000);

  let door: Door;
  before(async () => {
    door = await theDoor();
  });

  const coming = (options: Partial<Parameters<typeof launch>[1]>) => () =>
    launch(door.platform, { tool: door.tool, as: 'student3', ...options });

  it('is refused when its signature is none, or by another kind of key (L2)', async () => {
    const key = await door.platform.key();
    for (const alg of ['none', 'HS256', 'RS384', 'RS512', 'PS256'] as const)
      await expectRefused(door, coming({ sign: { alg } }), { reason: 'header alg' });
    await expectRefused(door, coming({ sign: { alg: 'HS256', header: { alg: 'RS256' } } }));
    await expectRefused(door, coming({ sign: { alg: 'HS256', secret: publicPem(key) } }));
    await expectRefused(door, coming({ sign: { alg: 'none', header: { alg: 'RS256' } } }));
  });

  it('is refused when it brings a key along, or says where to fetch one (L2)', async () => {
    const evil = await makeKey('evil');
    const url = 'http://127.0.0.1:9/keys';
    for (const header of [{ jwk: evil.publicJwk }, { jku: url }, { x5u: url }, { x5c: ['MIIB'] }])
      await expectRefused(door, coming({ sign: { key: evil, header } }), { reason: 'header' });
    const { kid } = await door.platform.key();
    await expectRefused(door, coming({ sign: { key: { ...evil, kid } } }), { reason: 'signature' });
  });

  it('is refused when its state is absent, foreign or used (L6)', async () => {
    await expectRefused(door, coming({ form: ({ id_token: token }) => ({ id_token: token! }) }), {
      reason: 'state',
    });
    for (const state of ['', 'made-up', 'x'.repeat(10_000)])
      await expectRefused(door, coming({ form: (form) => ({ ...form, state }) }), { reason: 'state' });
    const good = await coming({})();
    await expectRefused(door, () => replay(good), { reason: 'state' });
  });

  it('is refused in another browser than the one that was sent to the platform (L6)', async () => {
    const jar = createJar();
    const inAnotherBrowser = (form: Readonly<Record<string, string>>) => {
      jar.take([`${COOKIE}=${'A'.repeat(43)}`]);
      return { ...form };
    };

    await expectRefused(door, coming({ jar, form: inAnotherBrowser }), { reason: 'browser' });
  });

  it('is refused when it is for somebody else, or from somebody else (L7)', async () => {
    const { clientId } = door.tool;
    for (const claims of [
      { aud: 'another' },
      { aud: [clientId, 'another'] },
      { aud: [clientId, 'another'], azp: 'another' },
      { aud: clientId, azp: 'another' },
      { aud: [] },
      { iss: 'https://elsewhere.example' },
      { nonce: 'another' },
    ])
      await expectRefused(door, coming({ change: (said) => ({ ...said, ...claims }) }));
  });

  it('is let in when it names this service among others and says that it is meant (L7)', async () => {
    const { clientId } = door.tool;
    const aud = [clientId, 'another'];

    const { status } = await coming({ change: (said) => ({ ...said, aud, azp: clientId }) })();

    expect(status).to.equal(303);
  });

  it('is refused from a deployment that is not registered (L8)', () =>
    expectRefused(door, coming({ change: (claims) => ({ ...claims, [`${LTI}deployment_id`]: '999' }) }), {
      reason: 'deployment',
    }));

  it('is refused when it is wanted elsewhere, which is never followed (L13)', async () => {
    const elsewhere = 'https://evil.example/lti/launch';
    await expectRefused(
      door,
      coming({ change: (claims) => ({ ...claims, [`${LTI}target_link_uri`]: elsewhere }) }),
      { reason: 'target' },
    );
    await expectRefused(door, coming({ login: (form) => ({ ...form, target_link_uri: elsewhere }) }), {
      reason: 'target',
    });
  });

  it('is refused with what the platform answers, by its code alone', async () => {
    const error = { error: 'access_denied', error_description: 'secret <b>words</b>' };

    const { body } = await expectRefused(
      door,
      coming({ form: ({ state }) => ({ state: state!, ...error }) }),
      { reason: '^platform answered access_denied$' },
    );

    expect(body).to.not.contain('secret');
    await expectRefused(door, coming({ form: ({ state }) => ({ state: state!, error: 'E-mail x@y.z' }) }), {
      reason: '^platform answered an error$',
    });
  });

  it('is refused at the login when the platform is unknown, unclear or switched off', async () => {
    const login = (fields: Record<string, string>) => () =>
      sendForm(`${door.service.url}/lti/login`, {
        ...{ iss: door.platform.issuer, login_hint: '4', client_id: door.tool.clientId },
        ...{ target_link_uri: `${door.service.url}/lti/launch`, ...fields },
      });
    await expectRefused(door, login({ iss: 'https://elsewhere.example' }), { reason: 'not known' });
    await expectRefused(door, login({ client_id: 'another' }), { reason: 'not known' });
    await expectRefused(door, login({ login_hint: '' }), { reason: 'login_hint' });
    await door.platform.addTool(door.service);
    await expectRefused(door, login({ client_id: '' }), { reason: 'one of several' });
    const byDeployment = await login({ client_id: '', lti_deployment_id: String(door.tool.id) })();
    expect(byDeployment.status).to.equal(302);
  });

  it('is refused from the moment its platform is switched off, also when it had begun before', async () => {
    const { service, platform } = door;
    const tool = await platform.addTool(service);
    const path = `/lamb/v1/lti/platforms/${String(tool.platformId)}`;
    const jar = createJar();

    await expectRefused(
      door,
      async () => {
        const login = await sendForm(
          `${service.url}/lti/login`,
          {
            ...{ iss: platform.issuer, login_hint: '6', client_id: tool.clientId },
            target_link_uri: tool.launchUrl,
          },
          { jar },
        );
        await service.request(path, { method: 'PATCH', body: { enabled: false } });
        const state = new URL(login.location!).searchParams.get('state')!;
        return sendForm(tool.launchUrl, { state, id_token: 'x.y.z' }, { jar });
      },
      { reason: 'switched off' },
    );
    await expectRefused(door, () => launch(platform, { tool, as: 'student3' }), { reason: 'switched off' });
    const [last] = (await auditOf(door)).slice(-1);
    expect(last).to.include({ action: 'LTI launch', resource: `LTI platform ${String(tool.platformId)}` });
    expect(last!.organization_id).to.be.a('number');
  });

  it('is refused when it is no form, or says one thing twice', async () => {
    const post =
      (body: string, type = 'application/x-www-form-urlencoded') =>
      async () => {
        const { status, text, headers } = await door.service.request('/lti/launch', {
          ...{ method: 'POST', key: null, body, headers: { 'content-type': type, accept: 'text/html' } },
        });
        return { status, headers, body: text };
      };
    await expectRefused(door, post('state=a&state=b&id_token=x'), { reason: 'twice' });
    await expectRefused(door, post('{"state":"a"}', 'application/json'), { status: 415 });
    await expectRefused(door, post('state=a', 'text/plain'), { status: 415 });
    const { status } = await post(`state=${'x'.repeat(70_000)}`)();
    expect(status).to.equal(413);
  });
});
