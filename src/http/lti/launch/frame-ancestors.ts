import type { LaunchFacts } from '../../../core/lti/launch.js';
import type { LtiPlatform } from '../../../core/lti/platform.js';

/** Enough for any house, and no header that a proxy would refuse. */
const MOST = 100;
/** A host may hold signs that end a directive: what is not plainly a host is left out. */
const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d+)?$/;

/** Where pages of a platform may show ours: by what is registered, and by where its signed launch says it is. */
export function originsOf(platform: LtiPlatform, facts?: LaunchFacts): readonly string[] {
  const registered =
    platform.kind === '1.3' ? [platform.issuer, platform.authLoginUrl] : [platform.siteUrl ?? ''];
  const said = facts ? [facts.returnUrl ?? '', returnOf(facts) ?? ''] : [];
  return [...new Set([...registered, ...said].flatMap(originIn))];
}

export function frameAncestors(origins: readonly string[]): string {
  const listed = [...new Set(origins)].slice(0, MOST);
  return `frame-ancestors ${listed.length > 0 ? listed.join(' ') : "'none'"}`;
}

/** Ourselves, and where what was chosen is taken. */
export function formAction(facts?: LaunchFacts): string {
  return ["form-action 'self'", ...originIn((facts && returnOf(facts)) ?? '')].join(' ');
}

function returnOf(facts: LaunchFacts): string | undefined {
  return facts.kind === 'deep_link' ? facts.settings.returnUrl : undefined;
}

/** None of what is no plain address. */
export function originIn(address: string): readonly string[] {
  const origin = URL.canParse(address) ? new URL(address).origin : '';
  return PLAIN_ORIGIN.test(origin) ? [origin] : [];
}
