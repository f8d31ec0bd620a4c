import { expect } from 'chai';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { DEEP_LINKING, LTI, ROLES } from '../lti-platform/claims.js';
import { launch, launch11 } from '../lti-platform/launching.js';
import { baseString } from '../lti-platform/oauth1.js';
import { type LtiPlatform, type OurTool, startLtiPlatform } from '../lti-platform/platform.js';
import { readToken } from '../lti-platform/signing.js';
import { startStandInTool, type StandInTool } from '../lti-platform/stand-in-tool.js';
import type { Service } from '../service.js';
import { createHmac } from 'node:crypto';

describe('the LTI platform', function () {
  this.timeout(60_000);

  let platform: LtiPlatform;
  let standIn: StandInTool;
  let tool: OurTool;

  before(async () => {
    platform = await startLtiPlatform();
    standIn = await startStandInTool(() => `${platform.issuer}/mod/lti/auth.php`);
    tool = await platform.addTool({ url: standIn.url } as Service, { register: false });
  });
  after(async () => {
    await standIn.stop();
    await platform.stop();
  });
  afterEach(() => {
    standIn.asks({});
  });

  const proved = async (token: string) => {
    const keys = createRemoteJWKSet(new URL(`${platform.url}/mod/lti/certs.php`));
    return jwtVerify(token, keys, { issuer: platform.issuer, audience: tool.clientId });
  };

  it('begins a launch with a form, and answers the tool with exactly id_token and state', async () => {
    const launched = await launch(platform, { tool, as: 'student1' });

    const login = standIn.forms.findLast(({ path }) => path === '/lti/login')?.fields;
    expect(login).to.have.all.keys(
      ...['iss', 'target_link_uri', 'login_hint', 'lti_message_hint', 'client_id', 'lti_deployment_id'],
    );
    expect(login).to.include({ iss: platform.issuer, login_hint: '4', lti_deployment_id: String(tool.id) });
    expect(JSON.parse(login!['lti_message_hint']!)).to.have.all.keys('cmid', 'launchid');
    expect(launched.form).to.have.all.keys('id_token', 'state');
    expect(launched.form['state']).to.equal('a-state');
    const { payload, protectedHeader } = await proved(launched.form['id_token']!);
    expect(protectedHeader).to.have.all.keys('typ', 'alg', 'kid');
    expect(payload).to.include({ sub: '4', nonce: 'a-nonce', name: 'Sam Student' });
    expect(payload.exp! - payload.iat!).to.equal(60);
    expect(payload[`${LTI}resource_link`]).to.include({ id: String(tool.activity.id) });
  });

  it('tells roles by their whole names, and of an administrator all three', async () => {
    for (const [as, role] of [
      ['student1', 'student'],
      ['teacher1', 'teacher'],
      ['admin', 'admin'],
    ] as const) {
      const { claims } = await launch(platform, { tool, as });
      expect(claims[`${LTI}roles`]).to.deep.equal(ROLES[role]);
    }
  });

  it('says next to nothing about people where privacy is set so', async () => {
    const shy = await platform.addTool({ url: standIn.url } as Service, {
      register: false,
      privacy: 'minimum',
    });

    const { claims } = await launch(platform, { tool: shy, as: 'student1' });

    expect(claims).to.not.have.any.keys('name', 'given_name', 'family_name', 'email', `${LTI}custom`);
    expect(claims['https://purl.imsglobal.org/spec/lti-ags/claim/endpoint']).to.have.all.keys(
      'scope',
      'lineitems',
    );
  });

  for (const [what, change, error] of [
    ['response_mode', { response_mode: undefined }, 'invalid_request'],
    ['prompt', { prompt: 'login' }, 'invalid_request'],
    ['login_hint', { login_hint: '5' }, 'access_denied'],
    ['client_id', { client_id: 'another' }, 'unauthorized_client'],
  ] as const)
    it(`tells the tool when ${what} is wrong`, async () => {
      standIn.asks(change);

      const { form } = await launch(platform, { tool, as: 'student1' });

      expect(form).to.include({ error, state: 'a-state' }).and.not.have.property('id_token');
    });

  for (const [what, change] of [
    ['no nonce', { nonce: undefined }],
    ['another scope', { scope: 'openid email' }],
    ['another response_type', { response_type: 'code' }],
    ['a redirect_uri with a query', { redirect_uri: 'http://127.0.0.1/lti/launch?x=1' }],
    ['no hint', { lti_message_hint: undefined }],
  ] as const)
    it(`keeps ${what} to itself`, async () => {
      standIn.asks(change);

      const { stage, body } = await launch(platform, { tool, as: 'student1' });

      expect(stage).to.equal('auth');
      expect(body).to.contain('Invalid request');
    });

  it('answers for a click once', async () => {
    await launch(platform, { tool, as: 'student1' });
    const [asked] = (await platform.journal('auth', tool)).slice(-1);
    const query = new URLSearchParams(asked!['request'] as Record<string, string>).toString();

    const again = await fetch(`${platform.url}/mod/lti/auth.php?${query}`, {
      headers: { cookie: 'MoodleSession=student1' },
    });

    expect(await again.text()).to.contain('Invalid request');
  });

  it('lets nobody launch who is not in the course', async () => {
    const failure = await launch(platform, { tool, as: 'outsider' }).catch((error: unknown) => String(error));

    expect(failure).to.contain('lets outsider launch nothing');
  });

  it('signs what a test has changed, with the key and header that the test wants', async () => {
    const { form, claims } = await launch(platform, {
      ...{ tool, as: 'student1' },
      change: (said) => ({ ...said, sub: undefined }),
      sign: { alg: 'none', header: { kid: undefined } },
    });

    expect(claims['sub']).to.equal(undefined);
    expect(readToken(form['id_token']!).header).to.deep.equal({ typ: 'JWT', alg: 'none' });
    expect(form['id_token']).to.match(/\.$/);
  });

  it('publishes a new key when it is rotated, and can keep it to itself', async () => {
    const rotated = await platform.changeKeys({ rotate: true, keepOld: false });
    const { form } = await launch(platform, { tool, as: 'student1' });
    await proved(form['id_token']!);
    await platform.changeKeys({ rotate: true, publish: false });
    const hidden = await launch(platform, { tool, as: 'student1' });
    const failure = await proved(hidden.form['id_token']!).catch((error: unknown) => String(error));
    await platform.changeKeys({ publish: true });

    expect(readToken(form['id_token']!).header['kid']).to.equal(rotated.kid);
    expect(failure).to.contain('no applicable key');
  });

  it('offers the choice of content to teachers, with no data to hand back', async () => {
    const { claims } = await launch(platform, { tool, as: 'teacher1', activity: 'deep_link' });

    const settings = claims[`${DEEP_LINKING}deep_linking_settings`] as Record<string, unknown>;
    expect(claims[`${LTI}message_type`]).to.equal('LtiDeepLinkingRequest');
    expect(settings).to.include({ accept_multiple: true }).and.not.have.property('data');
    expect(claims).to.not.have.property(`${LTI}resource_link`);
  });

  it('signs launches of LTI 1.1 with HMAC-SHA1 over every parameter', async () => {
    const old = await platform.addTool({ url: standIn.url } as Service, { register: false, version: '1.1' });

    const { pairs } = await launch11(platform, { tool: old, as: 'student1' });

    const signed = pairs.filter(([name]) => name !== 'oauth_signature');
    const expected = createHmac('sha1', `${old.secret}&`).update(baseString(old.launchUrl, signed));
    expect(Object.fromEntries(pairs)).to.include({
      oauth_signature: expected.digest('base64'),
      roles: 'Learner',
      lti_version: 'LTI-1p0',
      user_id: '4',
    });
  });
});
