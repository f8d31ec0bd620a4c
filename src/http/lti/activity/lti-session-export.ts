import { Router } from 'express';
import { deedOf } from '../../../core/access/audit.js';
import { activityOf } from '../../../core/access/launched.js';
import type { Redactor } from '../../../core/base/redactor.js';
import { notFound } from '../../../core/errors.js';
import type { Stores } from '../../../core/stores.js';
import { launchedCallerOf } from '../../middleware/request-facts.js';
import { nameOfActivity } from './activity-lookup.js';
import { createOwnData } from './own-data.js';
import { createFactsOfVisit, type VisitDeps } from './visit-facts.js';

type Deps = VisitDeps &
  Pick<Stores, 'activities' | 'assistants' | 'audit' | 'conversations' | 'participants' | 'submissions'> & {
    readonly redactor: Redactor;
  };

/** Everybody may have what is kept about them where they are. */
export function ltiSessionExport(deps: Deps): Router {
  const factsOf = createFactsOfVisit(deps);
  const ownData = createOwnData(deps);

  return Router().get('/lamb/v1/lti/session/export', async (_req, res) => {
    const caller = launchedCallerOf(res);
    const activity = await activityOf(caller, deps);
    if (!activity) throw notFound('The activity');
    const { name } = await factsOf(caller);
    const data = await ownData({ caller, activity });
    await deps.audit.record(
      deedOf(caller, { action: 'export own data', resource: nameOfActivity(activity) }),
    );
    res
      .attachment('activity-data.json')
      .set('Cache-Control', 'private, no-store')
      .json({
        exported_at: new Date().toISOString(),
        name,
        activity: {
          ...{ title: activity.title, course_title: activity.course.title },
          ...{ platform_name: activity.platformName, transcript_policy: activity.transcriptPolicy },
          retention_days: activity.retentionDays,
        },
        ...data,
      });
  });
}
