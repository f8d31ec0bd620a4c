import { Router } from 'express';
import { createForgetting } from '../../../activities/erasure.js';
import { notFound } from '../../../core/errors.js';
import type { Stores } from '../../../core/stores.js';
import { launchedCallerOf } from '../../middleware/request-facts.js';
import { nameOfActivity } from './activity-lookup.js';

type Deps = Pick<Stores, 'audit' | 'files' | 'forgetting'>;

/** Everybody's own data in the activity they came to, to be had erased. */
export function ltiSessionData(deps: Deps): Router {
  const { erase } = createForgetting(deps);

  return Router().delete('/lamb/v1/lti/session/data', async (_req, res) => {
    const { userId, organizationId, launch } = launchedCallerOf(res);
    if (launch.activityId === undefined) throw notFound('The activity');
    await erase(launch.activityId, userId);
    const resource = nameOfActivity({ id: launch.activityId });
    // That it was done stays on record; by whom is part of what is gone.
    await deps.audit.record({
      ...{ userId: null, organizationId, action: 'erase own data', resource },
      ...{ outcome: 'done', reason: '', runId: null },
    });
    res.status(204).end();
  });
}
