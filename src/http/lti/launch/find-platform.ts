import { conflict } from '../../../core/errors.js';
import type {
  LtiPlatform,
  NewPlatform,
  Platform11,
  Platform13,
  PlatformStore,
} from '../../../core/lti/platform.js';
import type { Login } from '../../../lti/login.js';
import { reasonOfRefusal, refusedLaunch, WRONG_SIGNATURE } from '../../../lti/refusals.js';

export type KnownPlatform13 = LtiPlatform & Platform13;
export type KnownPlatform11 = LtiPlatform & Platform11;

/**
 * Whose login it is: by issuer and client, else by deployment, else the only one of that issuer. Where several
 * organisations know the site, it is the one that holds it: what others register changes nothing for them.
 */
export async function platformOfLogin(
  { issuer, clientId, deploymentId }: Login,
  platforms: PlatformStore,
): Promise<KnownPlatform13> {
  const all = await platforms.ofIssuer(issuer);
  const meant = all.filter((platform) => {
    if (clientId !== undefined) return platform.clientId === clientId;
    return deploymentId === undefined || platform.deploymentIds.includes(deploymentId);
  });
  const [found, ...others] = meant.sort(byHold);
  if (!found) throw refusedLaunch('platform is not known', 'launch_not_set_up');
  if (others.some(({ organizationId }) => organizationId === found.organizationId)) {
    throw severalFit();
  }
  return found;
}

/** Whose launch it is: the platform whose secret has signed it, as `verify` says. */
export function platformOfSignature<Verified>(
  all: readonly KnownPlatform11[],
  verify: (platform: KnownPlatform11) => Verified,
): { readonly platform: KnownPlatform11; readonly verified: Verified } {
  const on = all.filter(({ enabled }) => enabled);
  if (on.length === 0) mustBeOn(all[0]);
  const [fitting, another] = on.flatMap((platform) => {
    try {
      return [{ platform, verified: verify(platform) }];
    } catch (fault) {
      if (reasonOfRefusal(fault) === WRONG_SIGNATURE && on.length > 1) return [];
      throw fault;
    }
  });
  if (another) throw severalFit();
  if (!fitting) throw refusedLaunch(WRONG_SIGNATURE, 'launch_not_set_up');
  return fitting;
}

/**
 * Nobody takes a site and client id from whoever holds it, and nobody learns who that is. One whose addresses are not
 * those of the site holds nothing against one whose are: only the site itself can have put anything there.
 */
export async function mustBeFree(
  wanted: NewPlatform,
  organizationId: number,
  platforms: PlatformStore,
): Promise<void> {
  if (wanted.kind !== '1.3') return;
  const others = (await platforms.ofIssuer(wanted.issuer)).filter(
    (platform) => platform.clientId === wanted.clientId && platform.organizationId !== organizationId,
  );
  const isHeld = others.some(
    (other) => (other.enabled || other.lastLaunchAt !== null) && (isAtItsSite(other) || !isAtItsSite(wanted)),
  );
  if (isHeld) throw conflict(HELD);
}

const HELD =
  'This issuer and client id cannot be registered here. If the site is yours, ask whoever runs this service.';

/** First who is surely of the site, then who is on, who has launched, and who came first. */
function byHold(one: KnownPlatform13, other: KnownPlatform13): number {
  const rank = (platform: KnownPlatform13) =>
    Number(isAtItsSite(platform)) * 4 + Number(platform.enabled) * 2 + Number(platform.lastLaunchAt !== null);
  return rank(other) - rank(one) || one.id - other.id;
}

/** Whether all that is asked of the platform is asked where its issuer is. */
function isAtItsSite({ issuer, authLoginUrl, authTokenUrl, keySetUrl }: Platform13): boolean {
  const { origin } = new URL(issuer);
  return [authLoginUrl, authTokenUrl, keySetUrl].every((url) => new URL(url).origin === origin);
}

const severalFit = () => refusedLaunch('platform could be one of several', 'launch_not_set_up');

/** As it is now: what was begun while it was switched on does not go on. */
export function mustBeOn<Platform extends LtiPlatform>(platform: Platform | undefined): Platform {
  if (!platform) throw refusedLaunch('platform is not known', 'launch_not_set_up');
  if (!platform.enabled) throw refusedLaunch('platform is switched off', 'launch_not_set_up');
  return platform;
}
