import { expect } from 'chai';
import type { LaunchFacts } from '../../../src/core/lti/launch.js';
import type { LtiPlatform } from '../../../src/core/lti/platform.js';
import {
  createBrowserSecrets,
  formAction,
  frameAncestors,
  originsOf,
} from '../../../src/http/lti/launch/browser.js';

const platform = (more: object) =>
  ({
    kind: '1.3',
    issuer: 'https://lms.example',
    authLoginUrl: 'https://sso.example/auth',
    ...more,
  }) as LtiPlatform;

describe('where pages of a visit may be shown', () => {
  it('is what is registered, and where the signed launch says the platform is', () => {
    const facts = { kind: 'activity', returnUrl: 'https://school.example/back?x=1' } as LaunchFacts;

    expect(frameAncestors(originsOf(platform({}), facts))).to.equal(
      'frame-ancestors https://lms.example https://sso.example https://school.example',
    );
  });

  it('is nowhere when nothing is known of it', () => {
    expect(frameAncestors(originsOf({ kind: '1.1' } as LtiPlatform))).to.equal("frame-ancestors 'none'");
  });

  it('is not extended by an address that would end the directive', () => {
    for (const issuer of [
      "https://evil;script-src 'unsafe-inline'",
      'https://a;b',
      'https://a,b',
      'https://*',
      'data:text/html,x',
      'javascript:alert(1)',
      'https://[::1]:8080',
    ])
      expect(originsOf(platform({ issuer }))).to.deep.equal(['https://sso.example']);
    const settings = { returnUrl: 'https://evil;x/back', acceptMultiple: true, acceptLineItem: true };
    expect(formAction({ kind: 'deep_link', settings } as unknown as LaunchFacts)).to.equal(
      "form-action 'self'",
    );
  });
});

describe('the cookie of a visit', () => {
  const given = (publicUrl: string) => {
    const lines: string[] = [];
    const res = { append: (_name: string, line: string) => lines.push(line) };
    createBrowserSecrets(publicUrl).give(res as never, 'A'.repeat(43));
    return lines[0]!;
  };

  it('works in frames wherever browsers allow that: with https, and on the machine itself (W6)', () => {
    for (const url of ['https://x.example', 'http://localhost:9099', 'http://127.0.0.1:1', 'http://[::1]:1'])
      expect(given(url)).to.equal(
        `__Host-bellwether-lti=${'A'.repeat(43)}; Secure; HttpOnly; Path=/; SameSite=None; Partitioned`,
      );
  });

  it('works in a window of its own elsewhere', () => {
    for (const url of ['http://x.example', 'http://10.0.0.1:9099', 'http://localhost.example'])
      expect(given(url)).to.equal(`bellwether-lti=${'A'.repeat(43)}; HttpOnly; Path=/; SameSite=Lax`);
  });

  it('is read by its whole name, and only when it could be one of ours', () => {
    const read = (cookie: string) =>
      createBrowserSecrets('https://x.example').of({ headers: { cookie } } as never);
    const secret = 'b'.repeat(43);

    expect(read(`a=1; __Host-bellwether-lti=${secret}; c=2`)).to.equal(secret);
    for (const cookie of [
      `x__Host-bellwether-lti=${secret}`,
      `bellwether-lti=${secret}`,
      '__Host-bellwether-lti=short',
      '',
    ])
      expect(read(cookie)).to.equal(undefined);
  });
});
