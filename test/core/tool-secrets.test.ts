import { expect } from 'chai';
import { createToolSecrets } from '../../src/core/organizations/tool-secrets.js';

const filling = (hosts: readonly string[], value = 'canary-0123') => {
  const { fill } = createToolSecrets(new Map([['KEY', { hosts, value: () => value }]]));
  return (url: string, text = '${secret:KEY}') => fill(text, new URL(url));
};

describe('where a secret may be sent', () => {
  it('a host alone means https at its usual port', () => {
    const fill = filling(['API.example.org']);

    expect(fill('https://api.example.org/x')).to.equal('canary-0123');
    expect(fill('https://api.example.org:443/x')).to.equal('canary-0123');
    for (const url of [
      'http://api.example.org/',
      'http://api.example.org:443/',
      'https://api.example.org:8443/',
      'https://api.example.org.evil.test/',
      'https://evil.test/api.example.org',
      'https://example.org/',
      'https://sub.api.example.org/',
      'https://api.example.org./',
    ]) {
      expect(() => fill(url), url).to.throw('may not be sent to');
    }
  });

  it('may be given as text or as URL, and a text that is no address gets nothing', () => {
    const { fill } = createToolSecrets(
      new Map([['KEY', { hosts: ['api.example.org'], value: () => 'canary-0123' }]]),
    );

    for (const address of ['https://api.example.org/x?y=1', new URL('https://api.example.org/x')]) {
      expect(fill('Bearer ${secret:KEY}', address)).to.equal('Bearer canary-0123');
    }
    for (const address of ['https://evil.test/#api.example.org', 'http://api.example.org/']) {
      expect(() => fill('${secret:KEY}', address), address).to.throw('may not be sent to');
    }
    for (const address of ['api.example.org', '', '/x', 'https://']) {
      expect(() => fill('${secret:KEY}', address), address).to.throw('not a whole one');
    }
  });

  it('a host with a port means that port, in plain http as well', () => {
    const fill = filling(['10.0.0.5:8080', '[::1]:80', 'intra.example.org:80']);

    for (const url of [
      'http://10.0.0.5:8080/',
      'https://10.0.0.5:8080/',
      'http://[::1]/',
      'http://intra.example.org/',
    ]) {
      expect(fill(url), url).to.equal('canary-0123');
    }
    for (const url of ['http://10.0.0.5/', 'http://10.0.0.5:8081/', 'https://intra.example.org/']) {
      expect(() => fill(url), url).to.throw('may not be sent to');
    }
  });

  it('is asked for each secret that a text names, and only those are opened', () => {
    const opened: string[] = [];
    const secret = (name: string, hosts: string[]) =>
      [name, { hosts, value: () => (opened.push(name), `value-of-${name}`) }] as const;
    const { fill } = createToolSecrets(
      new Map([secret('A', ['a.test']), secret('B', ['b.test']), secret('C', ['a.test'])]),
    );
    const to = new URL('https://a.test/');

    expect(fill('${secret:A}:${secret:C}', to)).to.equal('value-of-A:value-of-C');
    expect(() => fill('${secret:A}${secret:B}', to)).to.throw('"B" may not be sent');
    expect(() => fill('${secret:__proto__}', to)).to.throw('is not set up');
    expect(opened).not.to.include('B');
  });

  it('puts a value in as it is, and none that a header cannot carry', () => {
    const url = 'https://a.test/';

    expect(filling(['a.test'], '$& $1 $$ ${secret:KEY}')(url)).to.equal('$& $1 $$ ${secret:KEY}');
    expect(filling(['a.test'], 'value-with-end\n')(url)).to.equal('value-with-end');
    for (const value of ['a\r\nX-Admin: 1', 'naïve ☃', '']) {
      expect(() => filling(['a.test'], value)(url), value).to.throw('cannot be sent in a header');
    }
  });
});
