import { Router } from 'express';
import { ltiSessionAccount, ltiSessionConsent } from './account.js';
import { ltiActivities } from './activities.js';
import { ltiSessionData, ltiSessionExport } from './data-export.js';
import { ltiInsight } from './insight.js';
import { ltiSessionPlacements } from './placements.js';
import { ltiSession } from './session.js';
import { ltiSubmissions } from './submissions.js';

type DepsOf<Route extends (deps: never) => Router> = Parameters<Route>[0];

type Deps = DepsOf<typeof ltiActivities> &
  DepsOf<typeof ltiSession> &
  DepsOf<typeof ltiSessionAccount> &
  DepsOf<typeof ltiSessionConsent> &
  DepsOf<typeof ltiSessionData> &
  DepsOf<typeof ltiSessionExport> &
  DepsOf<typeof ltiSessionPlacements> &
  DepsOf<typeof ltiInsight> &
  DepsOf<typeof ltiSubmissions>;

/** Everything inside an activity, once somebody has been let in. */
export function ltiInside(deps: Deps): Router {
  return Router()
    .use(ltiActivities(deps))
    .use(ltiSession(deps))
    .use(ltiSessionAccount(deps))
    .use(ltiSessionConsent(deps))
    .use(ltiSessionData(deps))
    .use(ltiSessionExport(deps))
    .use(ltiSessionPlacements(deps))
    .use(ltiInsight(deps))
    .use(ltiSubmissions(deps));
}
