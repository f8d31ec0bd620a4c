import type { Caller } from '../core/access/caller.js';
import { AppError, notFound } from '../core/errors.js';
import type { Evaluation } from '../core/grading/evaluation.js';
import { proposalOf } from '../core/grading/grading.js';
import type { GradingQueue, GradingWork } from '../core/grading/submission.js';
import { type Logger, errorLocation } from '../core/log.js';
import type { Stores } from '../core/stores.js';
import { type Pace, waitAfter } from './pace.js';

export interface EvaluatingDeps extends Pick<Stores, 'activities' | 'ltiPeople' | 'users'> {
  readonly queue: GradingQueue;
  readonly evaluation: Pick<Evaluation, 'evaluate'>;
  readonly pace: Pace;
  readonly log: Logger;
}

const FAILED = 'The evaluation failed. It can be tried again.';
const INTERRUPTED = 'The evaluation was interrupted several times. It can be tried again.';

/** What comes of it is a proposal, and nothing more. In how long to try again. */
export async function evaluateWork(
  work: GradingWork,
  signal: AbortSignal,
  deps: EvaluatingDeps,
): Promise<number | undefined> {
  const { queue, pace } = deps;
  // Taken on so often, and nobody has come back to say what became of it.
  if (work.attempts > pace.mostEvaluations) {
    await queue.failEvaluation(work, INTERRUPTED);
    return undefined;
  }
  try {
    const { activityId, userId, text } = work.submission;
    const activity = await deps.activities.get(activityId);
    if (!activity) throw notFound('The activity');
    const caller = await callerFor({ userId, activityId }, deps);
    const evaluation = await deps.evaluation.evaluate({ activity, caller, text, signal });
    await queue.propose(work, { rubric: evaluation.rubric, proposal: proposalOf(evaluation) });
    deps.log.info({ submissionId: work.submission.id }, 'a submission was evaluated');
    return undefined;
  } catch (fault) {
    if (!signal.aborted) return await settle(work, fault, deps);
    // Whoever stops gives it back; whoever lost it has no say in it.
    await queue.release('evaluate', work);
    return undefined;
  }
}

async function settle(work: GradingWork, fault: unknown, deps: EvaluatingDeps): Promise<number | undefined> {
  const { queue, pace, log } = deps;
  const facts = { submissionId: work.submission.id, attempts: work.attempts };
  if (!(fault instanceof AppError)) log.error({ ...facts, fault: errorLocation(fault) }, 'evaluation failed');
  const reason = fault instanceof AppError ? fault.message : FAILED;
  if (work.attempts >= pace.mostEvaluations || !mayPass(fault)) {
    await queue.failEvaluation(work, reason);
    log.warn(facts, 'a submission could not be evaluated');
    return undefined;
  }
  const waitMs = waitAfter(work.attempts, pace.evaluationWaitsMs);
  await queue.later('evaluate', work, { at: new Date(Date.now() + waitMs).toISOString(), reason });
  return waitMs;
}

/** What is refused before anything is tried is refused again; what a tool or a model failed at may go well. */
function mayPass(fault: unknown): boolean {
  return !(fault instanceof AppError) || fault.code === 'tool_failed' || fault.status >= 500;
}

/** Whoever handed it in, as their launch would bring them now; the visit itself is long over. */
async function callerFor(
  { userId, activityId }: { readonly userId: number; readonly activityId: number },
  { users, ltiPeople }: Pick<EvaluatingDeps, 'users' | 'ltiPeople'>,
): Promise<Caller> {
  const [user, person] = await Promise.all([users.byId(userId), ltiPeople.byUser(userId)]);
  if (!user || !person) throw notFound('Whoever handed it in');
  const { email, organizationId } = user;
  return {
    ...{ userId, email, organizationId, name: '', role: 'student', via: 'lti' },
    credentialId: `lti:${String(userId)}`,
    launch: { sessionId: '', platformId: person.platformId, activityId, role: 'learner' },
  };
}
