import { expect } from 'chai';
import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { baseString, encoded, formParameters, isSignedWith } from '../../src/lti/oauth1.js';

/** The example of RFC 5849, sections 1.2 and 3.4.1. */
const RFC_REQUEST = {
  method: 'POST',
  url: 'http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b',
  parameters: [
    ['oauth_consumer_key', '9djdj82h48djs9d2'],
    ['oauth_token', 'kkk9d7dh3k39sjv7'],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', '137131201'],
    ['oauth_nonce', '7d8f3e4a'],
    ['oauth_signature', 'bYT5CMsGcbgUdFHObYMEfcx6bsw='],
    ...formParameters('c2&a3=2+q'),
  ],
} as const;

const RFC_BASE =
  'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26' +
  'oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26' +
  'oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7';

/** The example of OAuth Core 1.0, appendix A.5, which has the same rules. */
const PHOTOS = {
  method: 'get',
  url: 'http://photos.example.net/photos?file=vacation.jpg&size=original',
  parameters: [
    ['oauth_consumer_key', 'dpf43f3p2l4k3l03'],
    ['oauth_token', 'nnch734d00sl2jdk'],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', '1191242096'],
    ['oauth_nonce', 'kllo9940pd9333jh'],
    ['oauth_version', '1.0'],
  ],
} as const;

describe('what OAuth 1.0 signs', () => {
  it('is the base string of RFC 5849, with parameters that come twice or are empty', () => {
    expect(baseString(RFC_REQUEST)).to.equal(RFC_BASE);
  });

  for (const [text, written] of [
    ['abcABC123', 'abcABC123'],
    ['-._~', '-._~'],
    ['%', '%25'],
    ['+', '%2B'],
    [' ', '%20'],
    ['&=*', '%26%3D%2A'],
    ["!'()", '%21%27%28%29'],
    ['\n', '%0A'],
    ['ñ€', '%C3%B1%E2%82%AC'],
    ['😀', '%F0%9F%98%80'],
  ] as const) {
    it(`writes ${JSON.stringify(text)} as ${written}`, () => {
      expect(encoded(text)).to.equal(written);
    });
  }

  it('keeps a port that is not the usual one and leaves out one that is', () => {
    const of = (url: string) => baseString({ method: 'POST', url, parameters: [] }).split('&')[1];

    expect(of('https://tool.test:443/a')).to.equal(encoded('https://tool.test/a'));
    expect(of('http://tool.test:443/a')).to.equal(encoded('http://tool.test:443/a'));
    expect(of('HTTP://Tool.Test:8080/A?x=1#y')).to.equal(encoded('http://tool.test:8080/A'));
  });

  it('sorts by what is written, names first', () => {
    const parameters = [
      ['a', 'ñ'],
      ['a', 'z'],
      ['a-b', '1'],
      ['A', '1'],
      ['a', 'A'],
    ] as const;

    expect(baseString({ method: 'POST', url: 'http://x/', parameters })).to.equal(
      `POST&http%3A%2F%2Fx%2F&${encoded('A=1&a=%C3%B1&a=A&a=z&a-b=1')}`,
    );
  });

  it('is the same in whatever order parameters come', () => {
    const Pair = fc.tuple(fc.string(), fc.string());
    fc.assert(
      fc.property(fc.array(Pair), fc.integer({ min: 0, max: 20 }), (pairs, by) => {
        const turned = [...pairs.slice(by), ...pairs.slice(0, by)].reverse();
        const of = (parameters: [string, string][]) =>
          baseString({ method: 'POST', url: 'http://x/', parameters });
        expect(of(turned)).to.equal(of(pairs));
      }),
    );
  });

  it('writes what has half a character without failing', () => {
    expect(encoded('\ud800')).to.equal('%EF%BF%BD');
  });
});

describe('a signature of OAuth 1.0', () => {
  it('is the one of the examples', () => {
    expect(
      isSignedWith(RFC_REQUEST, 'r6/TJjbCOr97/+UU0NsvSne7s5g=', 'j49sk3j29djd', 'dh893hdasih9'),
    ).to.equal(true);
    expect(
      isSignedWith(PHOTOS, 'tR3+Ty81lMeYAr/Fid0kMTYa/WM=', 'kd94hf93k423kf44', 'pfkkdhi9sl3r4s00'),
    ).to.equal(true);
  });

  it('is not one that is a little different, longer, shorter or empty', () => {
    for (const wrong of [
      '',
      'tR3+Ty81lMeYAr/Fid0kMTYa/WN=',
      'tR3+Ty81lMeYAr/Fid0kMTYa/WM',
      'tR3 Ty81lMeYAr/Fid0kMTYa/WM=',
      'é',
    ]) {
      expect(isSignedWith(PHOTOS, wrong, 'kd94hf93k423kf44', 'pfkkdhi9sl3r4s00'), wrong).to.equal(false);
    }
  });

  it('is made with the secret as it is encoded', () => {
    const signature = createHmac('sha1', 'a%26b%20c&').update(baseString(PHOTOS)).digest('base64');

    expect(isSignedWith(PHOTOS, signature, 'a&b c')).to.equal(true);
    expect(isSignedWith(PHOTOS, signature, 'a&b')).to.equal(false);
  });
});
