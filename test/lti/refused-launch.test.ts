import { expect } from 'chai';
import { createHmac } from 'node:crypto';
import { exportSPKI, importJWK, type CryptoKey } from 'jose';
import { AppError } from '../../src/core/errors.js';
import { createKeySets } from '../../src/lti/key-sets.js';
import { type LaunchDeps, readLaunch } from '../../src/lti/read-launch.js';
import { reasonOfRefusal } from '../../src/lti/refusals.js';
import * as signed from './signed-launch.js';

const { claims, deepLinkingClaims, DEEP_LINKING_SETTINGS, LTI, NOW, PLATFORM, TOOL } = signed;
const NOW_S = NOW / 1_000;
type Changes = Readonly<Record<string, unknown>>;

const without = (claim: string): Changes => ({ [`${LTI}${claim}`]: undefined });

/** The twelve bad payloads of the certification, and more. Keyed by what is wrong. */
const BAD_CLAIMS: Readonly<Record<string, readonly [Changes, RegExp]>> = {
  'no LTI version': [without('version'), /claim version/],
  'another LTI version': [{ [`${LTI}version`]: '11.3' }, /claim version/],
  'version as a number': [{ [`${LTI}version`]: 1.3 }, /claim version/],
  'iat and exp of another time': [{ iat: 11_111, exp: 22_222 }, /expired/],
  'no message type': [without('message_type'), /claim message_type/],
  'another message type': [{ [`${LTI}message_type`]: 'LtiSubmissionReviewRequest' }, /claim message_type/],
  'no roles': [without('roles'), /claim roles/],
  'roles that are a text': [{ [`${LTI}roles`]: 'Instructor' }, /claim roles/],
  'no deployment': [without('deployment_id'), /claim deployment_id/],
  'a deployment nobody registered': [{ [`${LTI}deployment_id`]: '3' }, /deployment is not registered/],
  'no resource link': [without('resource_link'), /claim resource_link/],
  'a resource link without id': [{ [`${LTI}resource_link`]: { title: 'x' } }, /claim resource_link/],
  'a resource link with an empty id': [{ [`${LTI}resource_link`]: { id: ' ' } }, /claim resource_link/],
  'no subject': [{ sub: undefined }, /claim sub/],
  'an empty subject': [{ sub: '' }, /claim sub/],
  'a subject of 256 characters': [{ sub: 'x'.repeat(256) }, /claim sub/],
  'a subject that is not ASCII': [{ sub: 'ñ' }, /claim sub/],
  'a subject that is a number': [{ sub: 4 }, /claim sub/],
  'no target': [without('target_link_uri'), /claim target_link_uri/],
  'a target elsewhere': [
    { [`${LTI}target_link_uri`]: 'https://evil.test/lti/launch' },
    /target is elsewhere/,
  ],
  'a target that looks like ours': [
    { [`${LTI}target_link_uri`]: `${TOOL}@evil.test/lti/launch` },
    /claim target_link_uri|target is elsewhere/,
  ],
  'a target that is a script': [
    { [`${LTI}target_link_uri`]: 'javascript:alert(1)' },
    /claim target_link_uri/,
  ],
  'no nonce': [{ nonce: undefined }, /claim nonce/],
  'another nonce': [{ nonce: 'other' }, /nonce is another/],
  'no issuer': [{ iss: undefined }, /claim iss/],
  'another issuer': [{ iss: 'https://evil.test' }, /issuer is another/],
  'the issuer with a slash': [{ iss: `${PLATFORM.issuer}/` }, /issuer is another/],
  'no audience': [{ aud: undefined }, /claim aud/],
  'another audience': [{ aud: 'other' }, /audience is another/],
  'an audience of nobody': [{ aud: [] }, /claim aud/],
  'several audiences without an authorised party': [{ aud: [PLATFORM.clientId, 'other'] }, /party is none/],
  'several audiences, one of them the party': [
    { aud: [PLATFORM.clientId, 'other'], azp: 'other' },
    /party is another/,
  ],
  'another authorised party': [{ azp: 'other' }, /party is another/],
  'no exp': [{ exp: undefined }, /claim exp/],
  'exp as a text': [{ exp: String(NOW_S + 60) }, /claim exp/],
  'exp in the past': [{ iat: NOW_S - 70, exp: NOW_S - 10 }, /expired/],
  'exp in a far future': [{ exp: NOW_S + 7_201 }, /lifetime/],
  'exp before iat': [{ iat: NOW_S + 5, exp: NOW_S + 4 }, /lifetime/],
  'no iat': [{ iat: undefined }, /claim iat/],
  'iat in the future': [{ iat: NOW_S + 11, exp: NOW_S + 71 }, /issued in the future/],
  'iat more than an hour ago': [{ iat: NOW_S - 3_601, exp: NOW_S + 60 }, /issued too long ago/],
};

const BAD_SETTINGS: Readonly<Record<string, readonly [Changes, RegExp]>> = {
  'no return address': [{ deep_link_return_url: undefined }, /claim deep_linking_settings/],
  'a return address that is a script': [
    { deep_link_return_url: 'javascript:x' },
    /claim deep_linking_settings/,
  ],
  'no types': [{ accept_types: undefined }, /claim deep_linking_settings/],
  'no type that we have': [{ accept_types: ['html'] }, /platform takes no links/],
  'no targets': [{ accept_presentation_document_targets: undefined }, /claim deep_linking_settings/],
  'data that is no text': [{ data: {} }, /claim deep_linking_settings/],
};

describe('a launch is refused', () => {
  let key: signed.PlatformKey;
  let stranger: signed.PlatformKey;
  let deps: LaunchDeps;
  before(async () => {
    [key, stranger] = await Promise.all([signed.platformKey('k1'), signed.platformKey('k1', 'stranger')]);
    const { fetch } = signed.fakeFetch(() => signed.json({ keys: [key.jwk] }));
    deps = { keySets: createKeySets({ fetch, now: () => NOW }), now: () => NOW, publicUrl: TOOL };
  });

  async function expectRefusal(idToken: string, reason: RegExp, nonce = 'the-nonce'): Promise<void> {
    const fault = await signed.faultOf(readLaunch(deps, { platform: PLATFORM, idToken, nonce }));
    expect(fault).to.be.instanceOf(AppError);
    expect(reasonOfRefusal(fault)).to.match(reason);
    expect((fault as AppError).status).to.equal(403);
    if (idToken !== '') expect((fault as AppError).message).not.to.include(idToken);
  }

  for (const role of ['Learner', 'Instructor'] as const) {
    for (const [what, [changes, reason]] of Object.entries(BAD_CLAIMS)) {
      it(`with ${what} (${role})`, async () => {
        await expectRefusal(await key.sign(claims(role, changes)), reason);
      });
    }

    it(`without a kid, and with one the platform does not have (${role})`, async () => {
      await expectRefusal(await key.sign(claims(role), { kid: undefined }), /header kid/);
      await expectRefusal(await key.sign(claims(role), { kid: '' }), /header kid/);
      await expectRefusal(await key.sign(claims(role), { kid: 'imstester_66067' }), /key id/);
    });

    it(`when it is not LTI at all (${role})`, async () => {
      await expectRefusal(await key.sign({ name: 'badltilaunch' }), /^claim /);
    });
  }

  for (const [what, [settings, reason]] of Object.entries(BAD_SETTINGS)) {
    it(`that asks for links with ${what}`, async () => {
      await expectRefusal(await key.sign(deepLinkingClaims(settings)), reason);
    });
  }

  it('that asks for links without saying how', async () => {
    const payload = deepLinkingClaims({}, { [DEEP_LINKING_SETTINGS]: undefined });
    await expectRefusal(await key.sign(payload), /claim deep_linking_settings/);
  });

  it('when another key signed it', async () => {
    await expectRefusal(await stranger.sign(claims('Learner')), /signature is wrong/);
  });

  it('when it was changed after it was signed', async () => {
    const [header, payload, signature] = (await key.sign(claims('Learner'))).split('.');
    const other = Buffer.from(JSON.stringify(claims('Instructor'))).toString('base64url');
    await expectRefusal([header, other, signature].join('.'), /signature is wrong/);
    await expectRefusal([header, payload, ''].join('.'), /signature is wrong/);
  });

  it('when nobody signed it, or the public key was used as a password', async () => {
    const payload = Buffer.from(JSON.stringify(claims('Instructor'))).toString('base64url');
    const written = (header: Changes) => Buffer.from(JSON.stringify(header)).toString('base64url');
    for (const alg of ['none', 'None', 'RS384', 'PS256', 'ES256']) {
      await expectRefusal(`${written({ alg, kid: 'k1' })}.${payload}.`, /header alg/);
    }
    const pem = await exportSPKI((await importJWK(key.jwk, 'RS256')) as CryptoKey);
    const unsigned = `${written({ alg: 'HS256', kid: 'k1' })}.${payload}`;
    const forged = createHmac('sha256', pem).update(unsigned).digest('base64url');
    await expectRefusal(`${unsigned}.${forged}`, /header alg/);
  });

  for (const name of ['jku', 'jwk', 'x5u', 'x5c']) {
    it(`that brings or points to a key of its own (${name})`, async () => {
      const value = {
        jku: 'https://evil.test/jwks',
        jwk: stranger.jwk,
        x5u: 'https://evil.test/',
        x5c: ['MII'],
      }[name];
      await expectRefusal(await key.sign(claims('Learner'), { [name]: value }), new RegExp(`header ${name}`));
    });
  }

  it('that demands an extension', async () => {
    const [, payload, signature] = (await key.sign(claims('Learner'))).split('.');
    const header = { alg: 'RS256', kid: 'k1', crit: ['b64'], b64: false };
    const written = Buffer.from(JSON.stringify(header)).toString('base64url');
    await expectRefusal([written, payload, signature].join('.'), /header crit/);
  });

  it('that is no token, or too long for one', async () => {
    for (const text of ['', 'x', 'a.b.c', '..', 'null']) await expectRefusal(text, /not a signed token/);
    await expectRefusal('x'.repeat(64 * 1024 + 1), /too long/);
  });

  it('when what is signed are no claims', async () => {
    for (const text of ['', 'words', 'null', '[]', '"x"']) {
      await expectRefusal(await key.signText(text), /does not hold claims/);
    }
  });

  it('when no nonce was sent along', async () => {
    await expectRefusal(await key.sign(claims('Learner', { nonce: '' })), /nonce is another/, '');
  });
});
