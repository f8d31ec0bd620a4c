import { expect } from 'chai';
import { type Check, testPlatform, testPlatform11 } from '../../src/lti/self-test.js';
import { answeringPlatform } from './answering-platform.js';
import { json, NOW, PLATFORM, type PlatformKey, platformKey, TOOL } from './signed-launch.js';

const AGREES = { headers: { date: new Date(NOW).toUTCString() } };
type Answer = () => Response | Promise<Response>;

describe('the test of a platform', () => {
  let key: PlatformKey;
  before(async () => {
    key = await platformKey('k1');
  });

  interface Moods {
    readonly keys?: Answer;
    readonly signIn?: Answer;
    readonly token?: () => Response;
    readonly publicUrl?: string;
    readonly deploymentIds?: readonly string[];
  }

  async function tested({ keys, signIn, token, publicUrl = TOOL, deploymentIds = ['1'] }: Moods = {}) {
    const good = () => json({ keys: [key.jwk] }, AGREES);
    const { deps, tokens } = await answeringPlatform((url) =>
      url.href === PLATFORM.keySetUrl ? (keys ?? good)() : (signIn ?? (() => new Response('<html>')))(),
    );
    if (token) tokens.answer = token;
    return await testPlatform({ ...deps, publicUrl }, { ...PLATFORM, deploymentIds });
  }

  async function check(name: Check['name'], moods: Moods): Promise<Check> {
    const { ok, checks } = await tested(moods);
    const found = checks.find((one) => one.name === name)!;
    expect(ok).to.equal(found.ok !== false);
    return found;
  }

  it('finds nothing wrong with one that is set up well', async () => {
    const { ok, checks } = await tested();

    expect(ok).to.equal(true);
    expect(checks.map((one) => [one.name, one.ok])).to.deep.equal([
      ['address', true],
      ['deployments', true],
      ['keys', true],
      ['clock', true],
      ['sign_in', true],
      ['access_token', true],
    ]);
  });

  for (const [what, name, moods, ok, words] of [
    ['http without being local', 'address', { publicUrl: 'http://tool.example.test' }, false, /https/],
    ['http on this machine', 'address', { publicUrl: 'http://127.0.0.1:4000' }, true, /on this machine only/],
    ['no deployment ids', 'deployments', { deploymentIds: [] }, false, /every launch is refused/],
    ['no key set', 'keys', { keys: () => Promise.reject(new TypeError('x')) }, false, /Nobody answered/],
    ['a page for keys', 'keys', { keys: () => new Response('<html>') }, false, /certs\.php/],
    ['a key set that is gone', 'keys', { keys: () => new Response('', { status: 404 }) }, false, /404/],
    ['a key set without keys', 'keys', { keys: () => json({ keys: [] }) }, false, /RS256/],
    [
      'a clock that is late',
      'clock',
      { keys: () => json({ keys: [] }, { headers: { date: new Date(NOW - 60_000).toUTCString() } }) },
      false,
      /60 seconds apart/,
    ],
    [
      'no page to sign in',
      'sign_in',
      { signIn: () => new Response('', { status: 404 }) },
      false,
      /auth\.php/,
    ],
    [
      'a broken page to sign in',
      'sign_in',
      { signIn: () => new Response('', { status: 500 }) },
      false,
      /500/,
    ],
    [
      'a page that wants more',
      'sign_in',
      { signIn: () => new Response('', { status: 400 }) },
      true,
      /answers/,
    ],
    ['a page that leads on', 'sign_in', { signIn: () => new Response('', { status: 303 }) }, true, /answers/],
    [
      'a Moodle that may not fetch our keys',
      'access_token',
      {
        token: () =>
          new Response('…jwks_helper::fix_jwks_alg(): … must be of type array, null given', { status: 404 }),
      },
      false,
      /cURL blocked hosts list.*cURL allowed ports list/,
    ],
    [
      'no address for tokens',
      'access_token',
      { token: () => new Response('', { status: 404 }) },
      false,
      /token\.php/,
    ],
    ['another client id', 'access_token', { token: refusing('invalid_client') }, false, /client id/],
    ['no services', 'access_token', { token: refusing('invalid_scope') }, false, /Names and Role/],
    ['other keys', 'access_token', { token: refusing('Signature verification failed') }, false, /Keyset URL/],
    ['another time', 'access_token', { token: refusing('Expired token') }, false, /clocks/],
    ['something odd', 'access_token', { token: refusing('secret') }, false, /status 400/],
  ] as const) {
    it(`tells what to do about ${what}`, async () => {
      const found =
        name === 'clock'
          ? (await tested(moods)).checks.find((one) => one.name === name)!
          : await check(name, moods);

      expect(found.ok).to.equal(ok);
      expect(found.message).to.match(words).and.not.include('secret');
    });
  }

  it('does not hold against a platform what it cannot know', async () => {
    const timeless = await check('clock', { keys: () => json({ keys: [key.jwk] }) });
    const unseen = await check('sign_in', { signIn: () => Promise.reject(new TypeError('x')) });

    expect([timeless.ok, unseen.ok]).to.deep.equal([null, null]);
  });

  it('says that nobody gave a token', async () => {
    const silent = () => {
      throw new TypeError('fetch failed');
    };

    expect((await check('access_token', { token: silent })).message).to.match(/Nobody answered/);
  });

  it('looks at our address alone for LTI 1.1', () => {
    expect(testPlatform11(TOOL)).to.have.property('ok', true);
    expect(testPlatform11('http://tool.example.test').checks.map((one) => [one.name, one.ok])).to.deep.equal([
      ['address', false],
    ]);
  });
});

function refusing(error: string): () => Response {
  return () => json({ error }, { status: 400 });
}
