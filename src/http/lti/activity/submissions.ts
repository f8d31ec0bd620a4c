import { type Response, Router } from 'express';
import { deedOf, denialOf } from '../../../core/access/audit.js';
import type { LaunchedCaller } from '../../../core/access/caller.js';
import { forbidden, invalidConfiguration, notFound } from '../../../core/errors.js';
import { type Evaluation, NO_GRADES, whyNoGrades } from '../../../core/grading/evaluation.js';
import type { Seen, Submission } from '../../../core/grading/submission.js';
import type { Activity } from '../../../core/lti/activity.js';
import type { LaunchFacts, LaunchRole } from '../../../core/lti/launch.js';
import type { SecretBox } from '../../../core/organizations/secret-box.js';
import type { Stores } from '../../../core/stores.js';
import type { Grading } from '../../../grading/grading.js';
import { parseWith } from '../../middleware/json-body.js';
import { pageOf } from '../../middleware/query.js';
import { launchedCallerOf } from '../../middleware/request-facts.js';
import {
  Approval,
  changedGrade,
  GradeChange,
  movedOn,
  Rejection,
  showSubmission,
  SubmissionBody,
  SubmissionQuery,
  TryingAgain,
} from './submission-body.js';

export interface SubmissionDeps extends Pick<Stores, 'activities' | 'submissions' | 'launches' | 'audit'> {
  readonly box: SecretBox;
  readonly evaluation: Pick<Evaluation, 'rubricFor'>;
  readonly grading: Pick<Grading, 'nudge'>;
}

interface Place {
  readonly caller: LaunchedCaller;
  readonly activity: Activity;
}

/** Works that students hand in, and what their teachers make of them. */
export function ltiSubmissions(deps: SubmissionDeps): Router {
  const { submissions, audit, grading, box } = deps;
  const show = ({ caller }: Place, submission: Submission) =>
    showSubmission(submission, { role: caller.launch.role, box });
  const find = async ({ caller, activity }: Place, id: string): Promise<Submission> => {
    const found = await submissions.get(activity.id, id);
    const isTheirs = caller.launch.role === 'instructor' || found?.userId === caller.userId;
    if (!found || !isTheirs) throw notFound('The submission');
    return found;
  };
  /** What a teacher decided: told to everybody concerned, or refused because it is not as they saw it. */
  const decide = async (
    place: Place & { readonly id: string; readonly action: string },
    change: (seen: Omit<Seen, 'version'>) => Promise<Submission | undefined>,
  ) => {
    await find(place, place.id);
    const changed = await change({ activityId: place.activity.id, id: place.id });
    if (!changed) throw movedOn();
    const resource = `submission ${place.id}`;
    await audit.record(deedOf(place.caller, { action: place.action, resource }));
    grading.nudge();
    return show(place, changed);
  };

  return Router()
    .get('/lamb/v1/lti/activities/:id/submissions', async (req, res) => {
      const place = await placeOf(req.params.id, res, deps);
      const { status, limit, cursor } = parseWith(SubmissionQuery, req.query, 'The query');
      const { role } = place.caller.launch;
      const userId = role === 'instructor' ? undefined : place.caller.userId;
      const filter = { activityId: place.activity.id, userId, status };
      const page = await submissions.list(filter, { limit, cursor });
      res.json(pageOf(page, (submission) => show(place, submission)));
    })
    .post('/lamb/v1/lti/activities/:id/submissions', async (req, res) => {
      const place = await placeOf(req.params.id, res, deps, 'learner');
      const { text, assistant_id } = parseWith(SubmissionBody, req.body);
      const { caller, activity } = place;
      if (assistant_id !== undefined && assistant_id !== activity.evaluationAssistantId) {
        throw invalidConfiguration('This assistant evaluates nothing in this activity.', 'assistant_id');
      }
      const rubric = await deps.evaluation.rubricFor(activity, caller);
      const who = await nameOf(caller, deps);
      const made = await submissions.submit({
        ...{ activityId: activity.id, userId: caller.userId, text, rubric },
        who: who === '' ? null : box.seal(who),
      });
      grading.nudge();
      res.status(202).json(show(place, made));
    })
    .get('/lamb/v1/lti/activities/:id/submissions/:sid', async (req, res) => {
      const place = await placeOf(req.params.id, res, deps);
      res.json(show(place, await find(place, req.params.sid)));
    })
    .patch('/lamb/v1/lti/activities/:id/submissions/:sid', async (req, res) => {
      const place = await placeOf(req.params.id, res, deps, 'instructor');
      const change = parseWith(GradeChange, req.body);
      const before = await find(place, req.params.sid);
      // What it is worked out from must not have changed meanwhile either.
      const changed = await submissions.edit(
        { ...before, version: change.version ?? before.version },
        changedGrade(before, change),
      );
      if (!changed) throw movedOn();
      res.json(show(place, changed));
    })
    .delete('/lamb/v1/lti/activities/:id/submissions/:sid', async (req, res) => {
      const place = await placeOf(req.params.id, res, deps, 'learner');
      const found = await find(place, req.params.sid);
      const seen = { activityId: found.activityId, id: found.id };
      if (!(await submissions.withdraw(seen, place.caller.userId))) throw movedOn();
      res.status(204).end();
    })
    .post('/lamb/v1/lti/activities/:id/submissions/:sid/approve', async (req, res) => {
      const place = await placeOf(req.params.id, res, deps, 'instructor');
      const { version } = parseWith(Approval, req.body);
      const by = {
        userId: place.caller.userId,
        impossible: whyNoGrades(place.activity.services) && NO_GRADES,
      };
      const deed = { ...place, id: req.params.sid, action: 'approve a grade' };
      res.json(await decide(deed, (seen) => submissions.approve({ ...seen, version }, by)));
    })
    .post('/lamb/v1/lti/activities/:id/submissions/:sid/reject', async (req, res) => {
      const place = await placeOf(req.params.id, res, deps, 'instructor');
      const { version, comment } = parseWith(Rejection, req.body);
      const by = { userId: place.caller.userId, comment };
      const deed = { ...place, id: req.params.sid, action: 'reject a submission' };
      res.json(await decide(deed, (seen) => submissions.reject({ ...seen, version }, by)));
    })
    .post('/lamb/v1/lti/activities/:id/submissions/:sid/evaluate', async (req, res) => {
      const place = await placeOf(req.params.id, res, deps, 'instructor');
      const { version } = parseWith(TryingAgain, req.body ?? {});
      const deed = { ...place, id: req.params.sid, action: 'evaluate a submission again' };
      res.json(await decide(deed, (seen) => submissions.evaluateAgain({ ...seen, version })));
    })
    .post('/lamb/v1/lti/activities/:id/submissions/:sid/post', async (req, res) => {
      const place = await placeOf(req.params.id, res, deps, 'instructor');
      const { version } = parseWith(TryingAgain, req.body ?? {});
      const deed = { ...place, id: req.params.sid, action: 'post a grade again' };
      res.json(await decide(deed, (seen) => submissions.postAgain({ ...seen, version })));
    });
}

/** The activity they came to; any other is not there. */
async function placeOf(
  id: string,
  res: Response,
  { activities, audit }: Pick<SubmissionDeps, 'activities' | 'audit'>,
  role?: LaunchRole,
): Promise<Place> {
  const caller = launchedCallerOf(res);
  const { activityId } = caller.launch;
  const activity = String(activityId) === id ? await activities.get(Number(id)) : undefined;
  if (!activity) throw notFound('The activity');
  if (role !== undefined && role !== caller.launch.role) {
    const reason = `came as ${caller.launch.role}`;
    const resource = `submissions of activity ${id}`;
    await audit.record(denialOf(caller, { action: `act as ${role}`, resource, reason }));
    throw forbidden(
      role === 'instructor' ? 'This is for those who teach the course.' : 'Only students hand something in.',
    );
  }
  return { caller, activity };
}

/** As the platform told it when they came; empty where it keeps names to itself. */
async function nameOf({ launch }: LaunchedCaller, { launches, box }: SubmissionDeps): Promise<string> {
  const visit = await launches.get(launch.sessionId, new Date().toISOString());
  return visit ? (JSON.parse(box.open(visit.facts)) as LaunchFacts).name : '';
}
