import { expect } from 'chai';
import fc from 'fast-check';
import { authRequest, readLogin } from '../../src/lti/login.js';
import { reasonOfRefusal } from '../../src/lti/refusals.js';
import { PLATFORM, TOOL } from './signed-launch.js';

const HINT = '{"cmid":5,"launchid":"ltilaunch1_408957818"}';
const PARAMETERS = {
  iss: PLATFORM.issuer,
  login_hint: '4',
  target_link_uri: `${TOOL}/lti/launch`,
  lti_message_hint: HINT,
  client_id: PLATFORM.clientId,
  lti_deployment_id: '1',
};
const REQUEST = { redirectUri: `${TOOL}/lti/launch`, state: 'st', nonce: 'no' };

describe('a login initiation', () => {
  it('is read as Moodle sends it', () => {
    expect(readLogin(PARAMETERS)).to.deep.equal({
      issuer: PLATFORM.issuer,
      loginHint: '4',
      targetLinkUri: `${TOOL}/lti/launch`,
      messageHint: HINT,
      clientId: PLATFORM.clientId,
      deploymentId: '1',
    });
  });

  it('may leave out the hint, the client and the deployment, or leave them empty', () => {
    const { iss, login_hint, target_link_uri } = PARAMETERS;
    const few = readLogin({ iss, login_hint, target_link_uri, client_id: '', lti_deployment_id: '' });

    expect([few.clientId, few.deploymentId, few.messageHint]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });

  for (const [name, wrong] of [
    ['iss', undefined],
    ['iss', ''],
    ['login_hint', undefined],
    ['target_link_uri', undefined],
    ['client_id', ['one', 'two']],
    ['iss', ['one', 'two']],
    ['lti_message_hint', { a: 'b' }],
    ['lti_message_hint', 'x'.repeat(8_001)],
  ] as const) {
    it(`is refused when ${name} is ${String(wrong).slice(0, 40)}`, () => {
      let fault: unknown;
      try {
        readLogin({ ...PARAMETERS, [name]: wrong });
      } catch (thrown) {
        fault = thrown;
      }

      expect(reasonOfRefusal(fault)).to.match(new RegExp(`login parameter ${name} `));
    });
  }

  it('is refused when there is nothing at all', () => {
    for (const nothing of [undefined, null, 'iss=x', []]) expect(() => readLogin(nothing)).to.throw();
  });
});

describe('the request for an id_token', () => {
  it('has exactly the parameters Moodle takes', () => {
    const url = new URL(authRequest(PLATFORM, { login: readLogin(PARAMETERS), ...REQUEST }));

    expect(url.origin + url.pathname).to.equal(PLATFORM.authLoginUrl);
    expect([...url.searchParams]).to.deep.equal([
      ['scope', 'openid'],
      ['response_type', 'id_token'],
      ['response_mode', 'form_post'],
      ['prompt', 'none'],
      ['client_id', PLATFORM.clientId],
      ['redirect_uri', `${TOOL}/lti/launch`],
      ['login_hint', '4'],
      ['lti_message_hint', HINT],
      ['state', 'st'],
      ['nonce', 'no'],
    ]);
  });

  it('leaves out a hint that was not given', () => {
    expect(authRequest(PLATFORM, { login: { loginHint: '4' }, ...REQUEST })).not.to.include(
      'lti_message_hint',
    );
  });

  it('keeps what the address of the platform holds already, as it is written', () => {
    const platform = { ...PLATFORM, authLoginUrl: 'https://lms.example.test/auth?a=b%20c&d#there' };
    const url = authRequest(platform, { login: { loginHint: '4' }, ...REQUEST });

    expect(url).to.match(/^https:\/\/lms\.example\.test\/auth\?a=b%20c&d&scope=openid&/);
    expect(url).not.to.include('#');
  });

  it('gives back any hint byte by byte and lets none add a parameter', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (hint) => {
        const login = { loginHint: '4', messageHint: hint };
        const { searchParams } = new URL(authRequest(PLATFORM, { login, ...REQUEST }));
        expect(searchParams.getAll('lti_message_hint')).to.deep.equal([hint]);
        expect([...searchParams]).to.have.length(10);
      }),
    );
  });
});
