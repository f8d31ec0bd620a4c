import { expect } from 'chai';
import { AppError } from '../../src/core/errors.js';
import { readConfiguration, register, registrationRequest } from '../../src/lti/registration.js';
import { headersOf } from './answering-platform.js';
import { fakeFetch, faultOf, json, TOOL } from './signed-launch.js';

const SITE = 'http://localhost:8100';
const AT = `${SITE}/mod/lti/openid-configuration.php`;
const CONFIGURATION = {
  issuer: SITE,
  authorization_endpoint: `${SITE}/mod/lti/auth.php`,
  token_endpoint: `${SITE}/mod/lti/token.php`,
  jwks_uri: `${SITE}/mod/lti/certs.php`,
  registration_endpoint: `${SITE}/mod/lti/openid-registration.php`,
  'https://purl.imsglobal.org/spec/lti-platform-configuration': {
    product_family_code: 'moodle',
    version: '4.5',
  },
};
const TOOL_CONFIGURATION = 'https://purl.imsglobal.org/spec/lti-tool-configuration';
const REGISTERED = { client_id: '8gxwChYXsUH3VTv', [TOOL_CONFIGURATION]: { deployment_id: '3' } };

describe('the configuration of a platform', () => {
  it('is read from where the platform says', async () => {
    const { fetch, asked } = fakeFetch(() => json(CONFIGURATION));

    expect(await readConfiguration(fetch, AT)).to.deep.include({
      issuer: SITE,
      jwks_uri: `${SITE}/mod/lti/certs.php`,
    });
    expect(asked[0]).to.have.nested.property('init.redirect', 'manual');
  });

  for (const [what, body] of [
    ['without an issuer', { ...CONFIGURATION, issuer: undefined }],
    ['of an issuer elsewhere', { ...CONFIGURATION, issuer: 'https://evil.test' }],
    ['of an issuer at another port', { ...CONFIGURATION, issuer: 'http://localhost:8101' }],
    ['without an address for signing in', { ...CONFIGURATION, authorization_endpoint: undefined }],
    ['without an address for tokens', { ...CONFIGURATION, token_endpoint: undefined }],
    ['without keys', { ...CONFIGURATION, jwks_uri: undefined }],
    ['with keys in a file', { ...CONFIGURATION, jwks_uri: 'file:///etc/passwd' }],
    ['with a password in an address', { ...CONFIGURATION, token_endpoint: 'http://u:p@localhost:8100/' }],
    ['without registration', { ...CONFIGURATION, registration_endpoint: undefined }],
    ['that is something else', 'x'],
  ] as const) {
    it(`is refused ${what}`, async () => {
      const { fetch } = fakeFetch(() => json(body));
      const fault = await faultOf(readConfiguration(fetch, AT));

      expect(fault).to.be.instanceOf(AppError).and.have.property('code', 'upstream_failed');
      expect((fault as AppError).message).not.to.match(/evil|passwd/);
    });
  }

  it('is refused when it is not there, and not asked for where nothing can be', async () => {
    const { fetch, asked } = fakeFetch(() => new Response('', { status: 302 }));

    expect(await faultOf(readConfiguration(fetch, AT))).to.have.property('code', 'upstream_refused');
    for (const odd of ['', 'file:///etc/passwd', 'localhost', 'http://u:p@localhost/']) {
      expect(await faultOf(readConfiguration(fetch, odd))).to.have.property('code', 'bad_request');
    }
    expect(asked).to.have.length(1);
  });
});

describe('our registration', () => {
  it('says all that Moodle requires', () => {
    const request = registrationRequest('https://tool.example.test:8443');

    expect(request).to.deep.include({
      response_types: ['id_token'],
      initiate_login_uri: 'https://tool.example.test:8443/lti/login',
      redirect_uris: ['https://tool.example.test:8443/lti/launch'],
      jwks_uri: 'https://tool.example.test:8443/lti/jwks.json',
      token_endpoint_auth_method: 'private_key_jwt',
      client_name: 'Bellwether',
    });
    const tool = request[TOOL_CONFIGURATION];
    expect(tool).to.include({ domain: 'tool.example.test:8443' });
    expect(tool.target_link_uri).to.equal('https://tool.example.test:8443/lti/launch');
    expect(tool.messages.map(({ type }) => type)).to.deep.equal([
      'LtiResourceLinkRequest',
      'LtiDeepLinkingRequest',
    ]);
    expect(request.scope.split(' ')).to.have.length(5);
  });

  it('asks for names and not for e-mail addresses', () => {
    const { claims } = registrationRequest(TOOL)[TOOL_CONFIGURATION];

    expect(claims).to.include('name').and.not.include('email');
  });

  it('is sent with the token of the platform and gives what to know it by', async () => {
    const { fetch, asked } = fakeFetch(() => json(REGISTERED));
    const registering = { configuration: CONFIGURATION, registrationToken: 'a.b.c', publicUrl: TOOL };

    expect(await register(fetch, registering)).to.deep.equal({
      kind: '1.3',
      name: 'moodle (localhost:8100)',
      enabled: true,
      issuer: SITE,
      clientId: '8gxwChYXsUH3VTv',
      deploymentIds: ['3'],
      authLoginUrl: CONFIGURATION.authorization_endpoint,
      authTokenUrl: CONFIGURATION.token_endpoint,
      keySetUrl: CONFIGURATION.jwks_uri,
    });
    const { url, init } = asked[0]!;
    expect([url, init.method]).to.deep.equal([CONFIGURATION.registration_endpoint, 'POST']);
    expect(headersOf(init).get('authorization')).to.equal('Bearer a.b.c');
    expect(headersOf(init).get('content-type')).to.equal('application/json');
    expect(JSON.parse(init.body as string)).to.deep.equal(registrationRequest(TOOL));
  });

  it('does without a token, a deployment and a family, and has the name it is given', async () => {
    const { fetch, asked } = fakeFetch(() => json({ client_id: 'c' }, { status: 201 }));
    const { 'https://purl.imsglobal.org/spec/lti-platform-configuration': _family, ...configuration } =
      CONFIGURATION;
    const bare = await register(fetch, { configuration, publicUrl: TOOL });
    const named = await register(fetch, { configuration, publicUrl: TOOL, name: 'Our Moodle' });

    expect([bare.name, named.name, bare.deploymentIds]).to.deep.equal(['localhost:8100', 'Our Moodle', []]);
    expect(headersOf(asked[0]!.init).has('authorization')).to.equal(false);
  });

  for (const [what, answer, code] of [
    ['a link used before', () => new Response('token_already_used', { status: 401 }), 'upstream_failed'],
    ['an error', () => new Response('private', { status: 500 }), 'upstream_refused'],
    ['a redirect', () => new Response('', { status: 307, headers: { location: '/x' } }), 'upstream_refused'],
    ['no client id', () => json({}), 'upstream_failed'],
    ['a client id that is none', () => json({ client_id: '' }), 'upstream_failed'],
    ['a page', () => new Response('<html>'), 'upstream_failed'],
  ] as const) {
    it(`is a fault that may be shown when it meets ${what}`, async () => {
      const { fetch } = fakeFetch(answer);
      const fault = await faultOf(register(fetch, { configuration: CONFIGURATION, publicUrl: TOOL }));

      expect(fault).to.be.instanceOf(AppError).and.have.property('code', code);
      expect((fault as AppError).message).not.to.match(/private|token_already_used/);
    });
  }

  it('sends no token that would break out of its header', async () => {
    const { fetch, asked } = fakeFetch(() => json(REGISTERED));
    for (const token of ['', 'a\r\nx: y', 'ñ', 'a b']) {
      const registering = { configuration: CONFIGURATION, registrationToken: token, publicUrl: TOOL };
      expect(await faultOf(register(fetch, registering))).to.have.property('code', 'bad_request');
    }
    expect(asked).to.have.length(0);
  });
});
