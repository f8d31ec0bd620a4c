import { NO_GRADES } from '../core/grading/evaluation.js';
import type { GradingQueue, GradingWork } from '../core/grading/submission.js';
import { type Logger, errorLocation } from '../core/log.js';
import type { Activity } from '../core/lti/activity.js';
import type { Stores } from '../core/stores.js';
import type { Score } from '../lti/scores.js';
import type { GradeBook } from './grade-book.js';
import { type Pace, waitAfter } from './pace.js';

export interface PostingDeps extends Pick<Stores, 'activities' | 'ltiPeople'> {
  readonly queue: GradingQueue;
  readonly book: GradeBook;
  readonly pace: Pace;
  readonly log: Logger;
}

type Outcome =
  | { readonly state: 'posted' }
  | { readonly state: 'lost' }
  | { readonly state: 'later'; readonly reason: string }
  | { readonly state: 'failed' | 'impossible'; readonly reason: string };

/** A platform counts in whole seconds. */
const STEP_MS = 1_000;
const MOST_ROUNDS = 3;
const GONE = 'The activity, or whoever handed this in, is not known any more.';
const BUSY = 'The learning platform has another score of the same moment.';
const BROKEN = 'Something went wrong on our side while the grade was being told. It is tried again.';

/** Tells an approved grade. However often that is begun, by however many, the platform takes it once. In how long to try again. */
export async function postWork(work: GradingWork, deps: PostingDeps): Promise<number | undefined> {
  const { log } = deps;
  const outcome = await tell(work, deps).catch((fault: unknown): Outcome => {
    log.error({ submissionId: work.submission.id, fault: errorLocation(fault) }, 'a grade could not be told');
    return { state: 'later', reason: BROKEN };
  });
  const again = await settle(work, outcome, deps);
  const facts = { submissionId: work.submission.id, attempts: work.attempts };
  log.info({ ...facts, state: outcome.state }, 'a grade was to be told');
  return again;
}

async function settle(work: GradingWork, outcome: Outcome, deps: PostingDeps): Promise<number | undefined> {
  if (outcome.state === 'later') return await tryLater(work, outcome.reason, deps);
  if (outcome.state === 'posted') await deps.queue.posted(work);
  else if (outcome.state !== 'lost') await deps.queue.failPosting(work, outcome);
  return undefined;
}

async function tryLater(
  work: GradingWork,
  reason: string,
  { queue, pace }: PostingDeps,
): Promise<number | undefined> {
  const waitMs = waitAfter(work.attempts, pace.postingWaitsMs);
  const next = Date.now() + waitMs;
  if (next > Date.parse(work.submission.decidedAt ?? '') + pace.postingForMs) {
    await queue.failPosting(work, { state: 'failed', reason });
    return undefined;
  }
  await queue.later('post', work, { at: new Date(next).toISOString(), reason });
  return waitMs;
}

/**
 * The score goes with a time that was stored before. A platform that has it refuses it the second time: then what it
 * shows tells whether it is ours, which got through before, or another's, over which ours must be told with a later time.
 */
async function tell(work: GradingWork, deps: PostingDeps): Promise<Outcome> {
  const { activityId, userId, grade, scoreTimestamp } = work.submission;
  const person = await deps.ltiPeople.byUser(userId);
  let at = Date.parse(scoreTimestamp ?? '');
  for (let round = 0; round < MOST_ROUNDS; round++) {
    // Read each time: its column may have been found meanwhile.
    const activity = await deps.activities.get(activityId);
    if (!activity || !person || !grade) return { state: 'failed', reason: GONE };
    const { score: points, maximum, comment } = grade;
    const score = { subject: person.subject, score: points, maximum, comment, at };
    const posted = await deps.book.post(activity, score);
    if (posted.outcome === 'accepted') return { state: 'posted' };
    if (posted.outcome === 'impossible') return { state: 'impossible', reason: NO_GRADES };
    if (posted.outcome === 'failed') {
      return { state: posted.retryable ? 'later' : 'failed', reason: posted.message };
    }
    if (await isOurs(activity.id, score, deps)) return { state: 'posted' };
    at = Math.max(at + STEP_MS, Date.now());
    if (!(await deps.queue.setScoreTimestamp(work, new Date(at).toISOString()))) return { state: 'lost' };
  }
  return { state: 'later', reason: BUSY };
}

async function isOurs(activityId: number, score: Score, { activities, book }: PostingDeps): Promise<boolean> {
  const activity: Activity | undefined = await activities.get(activityId);
  return activity !== undefined && (await book.has(activity, score));
}
