import type { LaunchedCaller } from '../../../core/access/caller.js';
import { unauthenticated } from '../../../core/errors.js';
import { openFacts } from '../../../core/lti/launch-facts.js';
import type { LaunchFacts } from '../../../core/lti/launch.js';
import type { SecretBox } from '../../../core/organizations/secret-box.js';
import type { Stores } from '../../../core/stores.js';

export interface VisitDeps extends Pick<Stores, 'launches'> {
  readonly box: SecretBox;
}

/** What the platform said when it sent somebody, as long as their visit lasts. */
export type LaunchFactsReader = (caller: LaunchedCaller) => Promise<LaunchFacts>;

export function createFactsOfVisit({ launches, box }: VisitDeps): LaunchFactsReader {
  return async ({ launch: { sessionId } }) => {
    const visit = await launches.get(sessionId, new Date().toISOString());
    if (!visit) throw unauthenticated('This visit is over. Open the activity in your course again.');
    return openFacts(visit.facts, box);
  };
}
