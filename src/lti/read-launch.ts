import { compactVerify, type CryptoKey, decodeProtectedHeader } from 'jose';
import { z } from 'zod';
import { isRecord, type JsonRecord } from '../core/base/json.js';
import type { DeepLinkingSettings, LaunchFacts, LaunchServices } from '../core/lti/launch.js';
import type { Platform13 } from '../core/lti/platform.js';
import type { KeySets } from './key-sets.js';
import { launchClaims, type LaunchClaims } from './launch-claims.js';
import {
  addressFrom,
  courseFrom,
  customFrom,
  localeFrom,
  nameFrom,
  openedInFrom,
} from './optional-claims.js';
import { refusedLaunch } from './refusals.js';
import { roleOf } from './roles.js';

export type KnownPlatform = Platform13 & { readonly id: number };

export interface LaunchDeps {
  readonly keySets: KeySets;
  /** Milliseconds. */
  readonly now: () => number;
  /** Where this service is reached: a launch to anywhere else is not ours. */
  readonly publicUrl: string;
}

export interface Launch {
  /** The one whose sign-in was asked for. */
  readonly platform: KnownPlatform;
  readonly idToken: string;
  /** As it was sent along with that. */
  readonly nonce: string;
}

const LONGEST_TOKEN = 64 * 1024;
const CLOCKS_DIFFER_S = 10;
const OLDEST_S = 3_600;
/** Platforms give a minute to an hour; a message that is good for longer was not made for one launch. */
const LONGEST_LIFE_S = 2 * 3_600;

const Absent = z.undefined().optional();

/** Keys come from the registered address alone: one that brings its own, or says where to get it, is refused. */
const Header = z.object({
  alg: z.literal('RS256'),
  kid: z.string().min(1).max(255),
  ...{ jku: Absent, jwk: Absent, x5u: Absent, x5c: Absent, crit: Absent },
});

/** What a platform says of a launch, all of it verified; whatever is wrong with it is a refusal. */
export async function readLaunch(deps: LaunchDeps, launch: Launch): Promise<LaunchFacts> {
  const { platform, idToken, nonce } = launch;
  const kid = kidOf(idToken);
  const key = await deps.keySets.find(platform.keySetUrl, kid);
  if (!key) throw refusedLaunch('key id is not one of the platform', 'launch_not_set_up');
  const claims = launchClaims(await signedPayload(idToken, key));
  checkParties(claims, platform);
  checkTimes(claims, Math.floor(deps.now() / 1_000));
  if (nonce === '' || claims.nonce !== nonce) throw refusedLaunch('nonce is another');
  checkTarget(claims, deps.publicUrl);
  return launchFacts(platform.id, claims);
}

function kidOf(token: string): string {
  if (token.length > LONGEST_TOKEN) throw refusedLaunch('id_token is too long');
  const header = Header.safeParse(headerOf(token));
  if (header.success) return header.data.kid;
  throw refusedLaunch(`header ${String(header.error.issues[0]?.path[0] ?? '')} is missing or not allowed`);
}

function headerOf(token: string): unknown {
  try {
    return decodeProtectedHeader(token);
  } catch {
    throw refusedLaunch('id_token is not a signed token');
  }
}

async function signedPayload(token: string, key: CryptoKey): Promise<JsonRecord> {
  const payload = await compactVerify(token, key, { algorithms: ['RS256'] }).then(
    (verified) => new TextDecoder().decode(verified.payload),
    () => {
      throw refusedLaunch('signature is wrong');
    },
  );
  const claims = recordIn(payload);
  if (!claims) throw refusedLaunch('id_token does not hold claims');
  return claims;
}

function recordIn(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function checkParties(claims: LaunchClaims, { issuer, clientId, deploymentIds }: KnownPlatform): void {
  const { iss, aud, azp, deployment_id: deployment } = claims;
  if (iss !== issuer) throw refusedLaunch('issuer is another');
  const audience = typeof aud === 'string' ? [aud] : aud;
  if (!audience.includes(clientId)) throw refusedLaunch('audience is another');
  const isForOthersToo = audience.length > 1;
  if (isForOthersToo && (azp ?? '') === '')
    throw refusedLaunch('audience is several, authorised party is none');
  if ((azp ?? clientId) !== clientId) throw refusedLaunch('authorised party is another');
  if (!deploymentIds.includes(deployment)) {
    throw refusedLaunch('deployment is not registered', 'launch_not_set_up');
  }
}

function checkTimes({ exp, iat }: LaunchClaims, now: number): void {
  if (exp + CLOCKS_DIFFER_S <= now) throw refusedLaunch('expired', 'launch_stale');
  if (iat - CLOCKS_DIFFER_S > now) throw refusedLaunch('issued in the future', 'launch_stale');
  if (iat < now - OLDEST_S) throw refusedLaunch('issued too long ago', 'launch_stale');
  if (exp > iat + LONGEST_LIFE_S || exp <= iat)
    throw refusedLaunch('lifetime is not one of a launch', 'launch_stale');
}

/** It is never followed; but a message meant for another tool is not for us. */
function checkTarget({ target_link_uri: target, ...claims }: LaunchClaims, publicUrl: string): void {
  if (new URL(target).origin !== new URL(publicUrl).origin) {
    throw refusedLaunch('target is elsewhere', 'launch_not_set_up');
  }
  if (
    claims.message_type === 'LtiDeepLinkingRequest' &&
    !claims.deep_linking_settings.accept_types.includes('ltiResourceLink')
  ) {
    throw refusedLaunch('platform takes no links', 'launch_not_set_up');
  }
}

type DeepLinkingClaims = Extract<LaunchClaims, { message_type: 'LtiDeepLinkingRequest' }>;

/** What a launch of LTI 1.3 says, once everything in it has been verified. */
function launchFacts(platformId: number, claims: LaunchClaims): LaunchFacts {
  const { context, launch_presentation: shown } = claims;
  const basis = {
    platformId,
    deploymentId: claims.deployment_id,
    subject: claims.sub,
    role: roleOf(claims.roles),
    name: nameFrom(claims.name, [claims.given_name, claims.family_name].filter(Boolean).join(' ')),
    locale: localeFrom(shown?.locale),
    course: courseFrom(context?.id, context?.title, context?.label),
    custom: customFrom(Object.entries(claims.custom ?? {})),
    services: servicesIn(claims),
    returnUrl: addressFrom(shown?.return_url),
    openedIn: openedInFrom(shown?.document_target),
  };
  if (claims.message_type === 'LtiDeepLinkingRequest') {
    return { ...basis, kind: 'deep_link', settings: settingsIn(claims) };
  }
  const { id, title } = claims.resource_link;
  return { ...basis, kind: 'activity', link: { id, title: nameFrom(title) } };
}

function servicesIn({ grades, roster }: LaunchClaims): LaunchServices {
  return {
    lineItemUrl: addressFrom(grades?.lineitem),
    lineItemsUrl: addressFrom(grades?.lineitems),
    gradeScopes: grades?.scope ?? [],
    membershipsUrl: addressFrom(roster?.context_memberships_url),
  };
}

function settingsIn({ deep_linking_settings: settings }: DeepLinkingClaims): DeepLinkingSettings {
  return {
    returnUrl: settings.deep_link_return_url,
    acceptMultiple: settings.accept_multiple ?? false,
    // Moodle takes grade columns and does not say so; only a platform that says no does not.
    acceptLineItem: settings.accept_lineitem ?? true,
    data: settings.data ?? undefined,
  };
}
