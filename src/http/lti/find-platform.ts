import type { LtiPlatform, Platform13, PlatformStore } from '../../core/lti-platform.js';
import type { Login } from '../../lti/login.js';
import { refusedLaunch } from '../../lti/refusals.js';

export type KnownPlatform13 = LtiPlatform & Platform13;

/** Whose login it is: by issuer and client, else by deployment, else the only one of that issuer. */
export async function platformOfLogin(
  { issuer, clientId, deploymentId }: Login,
  platforms: PlatformStore,
): Promise<KnownPlatform13> {
  const all = await platforms.ofIssuer(issuer);
  const meant = all.filter((platform) => {
    if (clientId !== undefined) return platform.clientId === clientId;
    return deploymentId === undefined || platform.deploymentIds.includes(deploymentId);
  });
  const [found, another] = meant;
  if (!found) throw refusedLaunch('platform is not known', 'launch_not_set_up');
  if (another) throw refusedLaunch('platform could be one of several', 'launch_not_set_up');
  return found;
}

/** As it is now: what was begun while it was switched on does not go on. */
export function mustBeOn<Platform extends LtiPlatform>(platform: Platform | undefined): Platform {
  if (!platform) throw refusedLaunch('platform is not known', 'launch_not_set_up');
  if (!platform.enabled) throw refusedLaunch('platform is switched off', 'launch_not_set_up');
  return platform;
}
