import { CompactSign, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { KnownPlatform } from '../../src/lti/read-launch.js';

export const NOW = Date.parse('2026-11-15T12:00:00.000Z');
const NOW_S = NOW / 1_000;
export const LTI = 'https://purl.imsglobal.org/spec/lti/claim/';
export const DEEP_LINKING_SETTINGS = 'https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings';
export const TOOL = 'https://tool.example.test';
export const MEMBERSHIP = 'http://purl.imsglobal.org/vocab/lis/v2/membership';

export const PLATFORM: KnownPlatform = {
  id: 7,
  kind: '1.3',
  issuer: 'https://moodle.example.test',
  clientId: '8gxwChYXsUH3VTv',
  deploymentIds: ['1', '2'],
  authLoginUrl: 'https://moodle.example.test/mod/lti/auth.php',
  authTokenUrl: 'https://moodle.example.test/mod/lti/token.php',
  keySetUrl: 'https://moodle.example.test/mod/lti/certs.php',
};

type Claims = Readonly<Record<string, unknown>>;

/** As Moodle sends it. A claim that is undefined is left out. */
export function claims(role: 'Learner' | 'Instructor', changes: Claims = {}): Claims {
  return {
    ...{
      nonce: 'the-nonce',
      iat: NOW_S,
      exp: NOW_S + 60,
      iss: PLATFORM.issuer,
      aud: PLATFORM.clientId,
      sub: '4',
    },
    ...{ given_name: 'Sam', family_name: 'Student', name: 'Sam Student' },
    [`${LTI}deployment_id`]: '1',
    [`${LTI}version`]: '1.3.0',
    [`${LTI}message_type`]: 'LtiResourceLinkRequest',
    [`${LTI}target_link_uri`]: `${TOOL}/lti/launch`,
    [`${LTI}roles`]: [`${MEMBERSHIP}#${role}`],
    [`${LTI}context`]: { id: '2', label: 'BIO101', title: 'Biology 101', type: ['CourseSection'] },
    [`${LTI}resource_link`]: { id: '1', title: 'AI tutor', description: '' },
    [`${LTI}lis`]: { person_sourcedid: '', course_section_sourcedid: '' },
    [`${LTI}launch_presentation`]: {
      ...{ locale: 'en', document_target: 'iframe' },
      return_url: 'https://moodle.example.test/mod/lti/return.php?course=2',
    },
    [`${LTI}custom`]: { assistant_id: '42', empty: '', unresolved: null },
    'https://purl.imsglobal.org/spec/lti-ags/claim/endpoint': {
      scope: ['https://purl.imsglobal.org/spec/lti-ags/scope/score'],
      lineitems: 'https://moodle.example.test/mod/lti/services.php/2/lineitems?type_id=1',
      lineitem: 'https://moodle.example.test/mod/lti/services.php/2/lineitems/4/lineitem?type_id=1',
    },
    'https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice': {
      context_memberships_url: 'https://moodle.example.test/mod/lti/services.php/CourseSection/2/memberships',
      service_versions: ['1.0', '2.0'],
    },
    ...changes,
  };
}

export function deepLinkingClaims(settings: Claims = {}, changes: Claims = {}): Claims {
  return claims('Instructor', {
    [`${LTI}message_type`]: 'LtiDeepLinkingRequest',
    [`${LTI}resource_link`]: undefined,
    [DEEP_LINKING_SETTINGS]: {
      accept_types: ['ltiResourceLink'],
      accept_presentation_document_targets: ['frame', 'iframe', 'window'],
      accept_multiple: true,
      deep_link_return_url: 'https://moodle.example.test/mod/lti/contentitem_return.php?course=2',
      ...settings,
    },
    ...changes,
  });
}

export interface PlatformKey {
  readonly jwk: JWK;
  sign(claims: Claims, header?: Claims): Promise<string>;
  /** Whatever it is. */
  signText(text: string): Promise<string>;
}

// To make one takes a quarter of a second: a platform has the first in all tests, and whoever is not it the second.
const pairs = new Map<'platform' | 'stranger', ReturnType<typeof generateKeyPair>>();

export async function platformKey(
  kid: string,
  whose: 'platform' | 'stranger' = 'platform',
): Promise<PlatformKey> {
  const made = pairs.get(whose) ?? generateKeyPair('RS256');
  pairs.set(whose, made);
  const { publicKey, privateKey } = await made;
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' };
  return {
    jwk,
    sign: (payload, header = {}) =>
      new SignJWT({ ...payload })
        .setProtectedHeader({ typ: 'JWT', alg: 'RS256', kid, ...header })
        .sign(privateKey),
    signText: (text) =>
      new CompactSign(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'RS256', kid })
        .sign(privateKey),
  };
}

/** A `fetch` that answers out of a function, and remembers what it was asked. */
export function fakeFetch(answer: (url: string, init: RequestInit) => Response | Promise<Response>) {
  const asked: { readonly url: string; readonly init: RequestInit }[] = [];
  const fetch = (async (url: string, init: RequestInit = {}) => {
    asked.push({ url, init });
    return await answer(url, init);
  }) as unknown as typeof globalThis.fetch;
  return { fetch, asked };
}

export const json = (body: unknown, init: ResponseInit = {}) => new Response(JSON.stringify(body), init);

/** What a promise is refused with. */
export async function faultOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => undefined,
    (fault: unknown) => fault,
  );
}
