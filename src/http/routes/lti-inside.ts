import { Router } from 'express';
import { ltiActivities } from './lti-activities.js';
import { ltiInsight } from './lti-insight.js';
import { ltiSessionAccount } from './lti-session-account.js';
import { ltiSessionConsent } from './lti-session-consent.js';
import { ltiSessionData } from './lti-session-data.js';
import { ltiSessionExport } from './lti-session-export.js';
import { ltiSessionPlacements } from './lti-session-placements.js';
import { ltiSession } from './lti-session.js';
import { ltiSubmissions } from './lti-submissions.js';

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
