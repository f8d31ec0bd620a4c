import { expect } from 'chai';
import { AppError } from '../../src/core/errors.js';
import { requestToken, type TokenRefusal } from '../../src/lti/service-token.js';
import { answeringPlatform, headersOf, moodleToken, verified } from './answering-platform.js';
import { faultOf, json, NOW, PLATFORM } from './signed-launch.js';

const SCOPES = ['scope-a', 'scope-b'];
const QUESTION = { url: 'https://moodle.example.test/service' };

describe('an access token', () => {
  it('is asked for by an assertion that our public key verifies', async () => {
    const { key, deps, asked } = await answeringPlatform(() => json({}));

    expect(await requestToken(deps, PLATFORM, SCOPES)).to.deep.equal({
      ok: true,
      token: 'token-1',
      seconds: 3_600,
    });
    const { init } = asked[0]!;
    const form = new URLSearchParams(init.body as string);
    expect(headersOf(init).get('content-type')).to.equal('application/x-www-form-urlencoded');
    expect(form.get('grant_type')).to.equal('client_credentials');
    expect(form.get('client_assertion_type')).to.equal(
      'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    );
    expect(form.get('scope')).to.equal('scope-a scope-b');
    const { payload, protectedHeader } = await verified(form.get('client_assertion')!, key);
    expect(protectedHeader.kid).to.equal(key.kid);
    expect(payload).to.deep.include({
      iss: PLATFORM.clientId,
      sub: PLATFORM.clientId,
      aud: PLATFORM.authTokenUrl,
    });
    expect(payload).to.include({ iat: NOW / 1_000, exp: NOW / 1_000 + 60 });
    expect(payload.jti).to.be.a('string');
  });

  for (const [seconds, meant] of [
    ['3600', 3_600],
    [undefined, 300],
    ['soon', 300],
    [-1, 300],
  ] as const) {
    it(`that lasts ${String(seconds)} is good for ${String(meant)} seconds`, async () => {
      const { deps, tokens } = await answeringPlatform(() => json({}));
      tokens.answer = () => json({ access_token: 't', expires_in: seconds });

      expect(await requestToken(deps, PLATFORM, SCOPES)).to.include({ ok: true, seconds: meant });
    });
  }

  const html = { 'content-type': 'text/html' };
  const MOODLE_404 =
    'mod_lti\\local\\ltiopenid\\jwks_helper::fix_jwks_alg(): Argument #1 ($jwks) must be of type array, null given';
  for (const [body, status, why] of [
    [MOODLE_404, 404, 'our_keys_unreachable'],
    ['<html>Not found</html>', 404, 'not_found'],
    ['{"error" : "invalid_client"}', 400, 'client_unknown'],
    ['{"error":"invalid_scope"}', 400, 'scope_refused'],
    ['{"error" : "Expired token"}', 400, 'clock'],
    ['{"error" : "Signature verification failed"}', 400, 'signature_refused'],
    ['{"error" : ""kid" invalid, unable to lookup correct key"}', 400, 'signature_refused'],
    ['', 500, 'other'],
    ['{"access_token":"bad token"}', 200, 'other'],
    ['{}', 200, 'other'],
    ['{"access_token":"t"}', 302, 'other'],
  ] as const satisfies readonly (readonly [string, number, TokenRefusal])[]) {
    it(`is refused because of ${why} when ${String(status)} ${body.slice(0, 40)} comes`, async () => {
      const { deps, tokens } = await answeringPlatform(() => json({}));
      tokens.answer = () => new Response(body, { status, headers: html });

      expect(await requestToken(deps, PLATFORM, SCOPES)).to.deep.equal({ ok: false, why, status });
    });
  }
});

describe('a question to a service', () => {
  it('carries a token, which is kept until shortly before its end', async () => {
    const { clock, tokens, services, others } = await answeringPlatform(() => json({}));
    await services.call(PLATFORM, SCOPES, QUESTION);
    clock.now += 58 * 60_000;
    await services.call(PLATFORM, ['scope-b', 'scope-a'], QUESTION);
    expect(tokens.count).to.equal(1);

    clock.now += 2 * 60_000;
    await services.call(PLATFORM, SCOPES, QUESTION);
    expect(tokens.count).to.equal(2);
    expect(others().map(({ init }) => headersOf(init).get('authorization'))).to.deep.equal([
      'Bearer token-1',
      'Bearer token-1',
      'Bearer token-2',
    ]);
  });

  it('has another token for other scopes, and for a platform that was changed', async () => {
    const { tokens, services } = await answeringPlatform(() => json({}));
    await services.call(PLATFORM, SCOPES, QUESTION);
    await services.call(PLATFORM, ['scope-a'], QUESTION);
    await services.call({ ...PLATFORM, clientId: 'other' }, SCOPES, QUESTION);
    await services.call({ ...PLATFORM, id: 8 }, SCOPES, QUESTION);

    expect(tokens.count).to.equal(4);
  });

  it('waits with all others for the same token', async () => {
    const { tokens, services } = await answeringPlatform(() => json({}));
    await Promise.all(Array.from({ length: 10 }, () => services.call(PLATFORM, SCOPES, QUESTION)));

    expect(tokens.count).to.equal(1);
  });

  it('is asked once more with a new token when the platform has forgotten the old one', async () => {
    const { tokens, services, others } = await answeringPlatform((_url, init) =>
      headersOf(init).get('authorization') === 'Bearer token-1'
        ? new Response('', { status: 401 })
        : json('fine'),
    );
    const replies = await Promise.all([1, 2, 3].map(() => services.call(PLATFORM, SCOPES, QUESTION)));

    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect(tokens.count).to.equal(2);
    expect(others()).to.have.length(6);
  });

  it('is not asked a third time', async () => {
    const { services, others } = await answeringPlatform(() => new Response('', { status: 401 }));

    expect((await services.call(PLATFORM, SCOPES, QUESTION)).status).to.equal(401);
    expect(others()).to.have.length(2);
  });

  it('uses a token that ends soon once it has it', async () => {
    const { tokens, services } = await answeringPlatform(() => json({}));
    tokens.answer = (n) => moodleToken(`t${String(n)}`, 1);
    await services.call(PLATFORM, SCOPES, QUESTION);

    expect(tokens.count).to.equal(1);
  });

  for (const [status, retryable] of [
    [400, false],
    [401, false],
    [404, true],
    [429, true],
    [503, true],
  ] as const) {
    it(`fails ${retryable ? 'for now' : 'for good'} when tokens are refused with ${String(status)}, and asks anew next time`, async () => {
      const { tokens, services, others } = await answeringPlatform(() => json({}));
      tokens.answer = () => new Response('secret words', { status });
      const fault = await faultOf(services.call(PLATFORM, SCOPES, QUESTION));

      expect(fault).to.be.instanceOf(AppError).and.include({ code: 'upstream_refused', retryable });
      expect((fault as AppError).message).not.to.include('secret words');
      expect(others()).to.deep.equal([]);
      tokens.answer = () => moodleToken('good');
      expect((await services.call(PLATFORM, SCOPES, QUESTION)).status).to.equal(200);
    });
  }

  it('takes no more than it is to take, and goes nowhere else', async () => {
    const { services, others } = await answeringPlatform(() => new Response(new Uint8Array(2_000)));
    const fault = await faultOf(services.call(PLATFORM, SCOPES, { ...QUESTION, mostBytes: 1_000 }));

    expect(fault).to.have.property('code', 'upstream_failed');
    expect(others()[0]?.init.redirect).to.equal('manual');
  });
});
