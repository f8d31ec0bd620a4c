import { randomUUID } from 'node:crypto';
import type { LaunchFacts } from '../../../../src/core/lti/launch.js';
import type { LtiPlatform } from '../../../../src/core/lti/platform.js';
import type { Stores } from '../../../../src/core/stores.js';
import { anOrganization } from '../../fixtures.js';

export type LinkLaunch = LaunchFacts & { readonly kind: 'activity' };

export async function aPlatform({ platforms, ...stores }: Stores): Promise<LtiPlatform> {
  return platforms.create(await anOrganization({ platforms, ...stores }), {
    ...{ kind: '1.1', name: 'Sakai', enabled: true, consumerKey: randomUUID(), sharedSecret: 'sealed' },
  });
}

export function aLaunch({ id }: LtiPlatform, changes: Partial<LinkLaunch> = {}): LinkLaunch {
  return {
    ...{ kind: 'activity', link: { id: '1', title: 'Tutor' }, platformId: id, deploymentId: '1' },
    ...{ subject: '4', role: 'learner', name: 'Sam', custom: {}, services: { gradeScopes: [] } },
    course: { id: '2', title: 'Biology' },
    ...changes,
  };
}
