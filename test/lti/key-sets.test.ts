import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { AppError } from '../../src/core/errors.js';
import { createKeySets } from '../../src/lti/key-sets.js';
import { fakeFetch, faultOf, json, NOW, platformKey, type PlatformKey } from './signed-launch.js';

const URL = 'https://moodle.example.test/mod/lti/certs.php';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe('the keys of a platform', () => {
  let one: PlatformKey;
  let two: PlatformKey;
  before(async () => {
    [one, two] = await Promise.all([platformKey('one'), platformKey('two', 'stranger')]);
  });

  /** A platform whose keys and moods can be changed, and a clock that can be put forward. */
  function world() {
    const clock = { now: NOW };
    const platform = { answer: (): Response | Promise<Response> => json({ keys: [one.jwk] }) };
    const { fetch, asked } = fakeFetch(() => platform.answer());
    return { clock, platform, asked, keySets: createKeySets({ fetch, now: () => clock.now }) };
  }

  it('are asked for once, and again after ten minutes', async () => {
    const { clock, asked, keySets } = world();
    for (let n = 0; n < 5; n++) expect(await keySets.find(URL, 'one')).not.to.equal(undefined);
    expect(asked).to.have.length(1);

    clock.now += 11 * MINUTE;
    await keySets.find(URL, 'one');
    expect(asked).to.have.length(2);
  });

  it('are asked for by everybody at once only once', async () => {
    const { asked, keySets } = world();
    const found = await Promise.all(Array.from({ length: 20 }, () => keySets.find(URL, 'one')));

    expect(found).not.to.include(undefined);
    expect(asked).to.have.length(1);
  });

  it('are asked for once more when one is not known, and then it is none', async () => {
    const { asked, keySets } = world();
    await keySets.find(URL, 'one');

    expect(await keySets.find(URL, 'two')).to.equal(undefined);
    expect(asked).to.have.length(2);
  });

  it('are not asked for twice on the first launch', async () => {
    const { asked, keySets } = world();

    expect(await keySets.find(URL, 'two')).to.equal(undefined);
    expect(asked).to.have.length(1);
  });

  it('work as soon as the platform signs with a new one', async () => {
    const { platform, keySets } = world();
    await keySets.find(URL, 'one');
    platform.answer = () => json({ keys: [one.jwk, two.jwk] });

    expect(await keySets.find(URL, 'two')).not.to.equal(undefined);
  });

  it('are not asked for a hundred times for a hundred made-up names, one after the other or at once', async () => {
    const { asked, keySets } = world();
    for (let n = 0; n < 100; n++) expect(await keySets.find(URL, `made-up-${String(n)}`)).to.equal(undefined);
    await Promise.all(Array.from({ length: 100 }, (_, n) => keySets.find(URL, `at-once-${String(n)}`)));

    expect(asked).to.have.length(3);
    expect(await keySets.find(URL, 'one')).not.to.equal(undefined);
  });

  it('are found within ten seconds of a change, whatever is made up meanwhile', async () => {
    const { clock, platform, keySets } = world();
    for (let n = 0; n < 100; n++) await keySets.find(URL, `made-up-${String(n)}`);
    platform.answer = () => json({ keys: [two.jwk] });
    expect(await keySets.find(URL, 'two')).to.equal(undefined);

    clock.now += 10 * SECOND;
    await keySets.find(URL, 'made-up');
    expect(await keySets.find(URL, 'two')).not.to.equal(undefined);
    expect(await keySets.find(URL, 'one')).to.equal(undefined);
  });

  it('of one platform are not those of another', async () => {
    const { platform, keySets } = world();
    await keySets.find(URL, 'one');
    platform.answer = () => json({ keys: [two.jwk] });

    expect(await keySets.find('https://other.example.test/keys', 'one')).to.equal(undefined);
  });

  for (const [mood, answer] of [
    ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
    ['answers with an error', () => new Response('no', { status: 503 })],
    [
      'sends people elsewhere',
      () => new Response('', { status: 302, headers: { location: 'https://evil.test' } }),
    ],
    ['answers with a page', () => new Response('<html>')],
    ['answers with something else', () => json({ keys: 'none' })],
    ['never stops talking', () => new Response(new Uint8Array(300 * 1024))],
  ] as const) {
    it(`go on working when the platform ${mood}, which is then left alone for a while`, async () => {
      const { clock, platform, asked, keySets } = world();
      await keySets.find(URL, 'one');
      platform.answer = answer;
      clock.now += 11 * MINUTE;

      for (let n = 0; n < 5; n++) expect(await keySets.find(URL, 'one')).not.to.equal(undefined);
      expect(asked).to.have.length(2);
      clock.now += 2 * MINUTE;
      expect(await keySets.find(URL, 'one')).not.to.equal(undefined);
      expect(asked).to.have.length(3);
    });

    it(`are none when the platform ${mood} from the start, and it is not pestered`, async () => {
      const { platform, asked, keySets } = world();
      platform.answer = answer;
      for (let n = 0; n < 20; n++) {
        const fault = await faultOf(keySets.find(URL, 'one'));
        expect(fault).to.be.instanceOf(AppError);
      }
      expect(asked).to.have.length(3);
    });
  }

  it('are waited for five seconds and no longer', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { fetch } = fakeFetch((_url, { signal }) => neverUntil(signal!));
      let fault: unknown;
      const found = faultOf(createKeySets({ fetch, now: () => NOW }).find(URL, 'one'));
      void found.then((each) => (fault = each));
      await turn();

      mock.timers.tick(5 * SECOND - 1);
      await turn();
      expect(fault).to.equal(undefined);
      mock.timers.tick(1);

      expect(await found)
        .to.be.instanceOf(AppError)
        .and.have.property('code', 'timeout');
    } finally {
      mock.timers.reset();
    }
  });

  it('are those that verify RS256 and have a name', async () => {
    const { platform, keySets } = world();
    const { kid: _kid, ...nameless } = two.jwk;
    const unusable = [
      nameless,
      { ...two.jwk, kid: 'a', kty: 'EC' },
      { ...two.jwk, kid: 'b', alg: 'RS512' },
      { ...two.jwk, kid: 'c', use: 'enc' },
      { ...two.jwk, kid: 'd', key_ops: ['sign'] },
      { ...two.jwk, kid: 'e', n: two.jwk.n!.slice(0, 300) },
      { kty: 'oct', kid: 'f', k: 'c2VjcmV0', alg: 'HS256' },
      { ...two.jwk, kid: '' },
      null,
      'two',
    ];
    const plain = { kty: 'RSA', kid: 'plain', n: two.jwk.n, e: two.jwk.e };
    platform.answer = () =>
      json({ keys: [...unusable, plain, { ...plain, kid: 'nulls', alg: null, use: null }] });

    const kids = ['a', 'b', 'c', 'd', 'e', 'f', '', 'two', 'plain', 'nulls'];
    const found = await Promise.all(kids.map(async (kid) => [kid, await keySets.find(URL, kid)] as const));
    expect(found.filter(([, key]) => key).map(([kid]) => kid)).to.deep.equal(['plain', 'nulls']);
  });

  it('are asked for without following anybody', async () => {
    const { asked, keySets } = world();
    await keySets.find(URL, 'one');

    expect(asked[0]?.init.redirect).to.equal('manual');
  });
});

function neverUntil(signal: AbortSignal): Promise<Response> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
}
