import { expect } from 'chai';
import { nextHop } from '../../src/outbound/redirects.js';

const first = {
  url: new URL('https://api.example.org/a?b'),
  method: 'POST',
  headers: new Headers({
    authorization: 'Bearer x',
    'content-type': 'application/json',
    accept: 'text/plain',
  }),
  body: '{}',
};
const leading = (status: number, location: string) => ({ status, headers: new Headers({ location }) });

describe('a redirect', () => {
  it('from https to plain http is refused, also within one host', () => {
    for (const location of [
      'http://api.example.org/',
      'http://other.example.org/',
      'HTTP://api.example.org:443/',
    ]) {
      expect(() => nextHop(first, leading(303, location)), location).to.throw('from https to plain http');
    }
  });

  it('from plain http to https is one to another origin: credentials stay behind', () => {
    const plain = { ...first, url: new URL('http://api.example.org/') };

    const { url, headers } = nextHop(plain, leading(302, 'https://api.example.org/'));

    expect(url.href).to.equal('https://api.example.org/');
    expect([...headers.keys()]).to.deep.equal(['accept']);
  });

  it('without a host stays where it was, with all that was sent', () => {
    for (const location of ['/b', '//api.example.org/b', 'https://API.example.org:443/b', '../b']) {
      const { url, method, headers, body } = nextHop(first, leading(307, location));

      expect(url.href, location).to.equal('https://api.example.org/b');
      expect({ method, body }).to.deep.equal({ method: 'POST', body: '{}' });
      expect(headers.get('authorization')).to.equal('Bearer x');
    }
  });

  it('to a host that only looks the same is one to another', () => {
    for (const location of [
      'https://api.example.org:8443/',
      'https://api.example.org.evil.test/',
      '//evil.test/api.example.org',
      '\\\\evil.test/',
      'https://api.example.org./',
    ]) {
      const { url, headers } = nextHop(first, leading(303, location));

      expect(url.origin, location).not.to.equal(first.url.origin);
      expect(headers.get('authorization')).to.equal(null);
    }
  });

  it('turns what it must into a GET, as browsers have it, and nothing else', () => {
    const methodAfter = (status: number, method: string) =>
      nextHop({ ...first, method, body: undefined }, leading(status, '/')).method;

    expect([301, 302, 303, 307, 308].map((status) => methodAfter(status, 'POST'))).to.deep.equal([
      'GET',
      'GET',
      'GET',
      'POST',
      'POST',
    ]);
    expect([301, 302, 303, 307, 308].map((status) => methodAfter(status, 'DELETE'))).to.deep.equal([
      'DELETE',
      'DELETE',
      'GET',
      'DELETE',
      'DELETE',
    ]);
    expect(methodAfter(303, 'HEAD')).to.equal('HEAD');
  });
});
