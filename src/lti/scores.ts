import { z } from 'zod';
import { AppError } from '../core/errors.js';
import { answerIn, below, RESULT_SCOPE, SCORE_SCOPE, unreadable, withQuery } from './grade-service.js';
import { mayPass, type ServiceCalls, type ServicePlatform } from './service-call.js';

export interface Score {
  /** The person, as the platform calls them. */
  readonly subject: string;
  readonly score: number;
  readonly maximum: number;
  readonly comment: string;
  /** Milliseconds. A platform takes none that is not later than the one before; Moodle counts in seconds. */
  readonly at: number;
}

/** `conflict`: the platform has a score of the same moment or later. */
export type ScorePosted =
  | { readonly outcome: 'accepted' | 'conflict' }
  | { readonly outcome: 'failed'; readonly retryable: boolean; readonly message: string };

export interface Result {
  readonly score: number | null;
  readonly maximum: number | null;
  readonly comment: string;
}

/** Moodle takes no others. */
const SCORE = 'application/vnd.ims.lis.v1.score+json';
const RESULTS = 'application/vnd.ims.lis.v2.resultcontainer+json';

const Results = z.array(
  z.object({
    userId: z.coerce.string(),
    resultScore: z.number().nullish(),
    resultMaximum: z.number().nullish(),
    comment: z.string().nullish(),
  }),
);

/** Hands a grade to the platform. What goes wrong on the way is the answer, not a fault. */
export async function postScore(
  services: ServiceCalls,
  platform: ServicePlatform,
  lineItemUrl: string,
  score: Score,
): Promise<ScorePosted> {
  try {
    const { status } = await services.call(platform, [SCORE_SCOPE], {
      url: below(lineItemUrl, 'scores'),
      method: 'POST',
      headers: { 'content-type': SCORE },
      body: JSON.stringify(written(score)),
    });
    return outcomeOf(status);
  } catch (fault) {
    return notPosted(fault);
  }
}

function written({ subject, score, maximum, comment, at }: Score) {
  return {
    userId: subject,
    scoreGiven: score,
    scoreMaximum: maximum,
    comment,
    timestamp: new Date(at).toISOString(),
    activityProgress: 'Completed',
    gradingProgress: 'FullyGraded',
  };
}

const WHY: Readonly<Record<number, string>> = {
  400: 'The learning platform refused the grade. The person may not be a student of the course any more.',
  401: 'The learning platform does not let grades be posted. An administrator can test the platform to find out why.',
  403: 'The learning platform does not let grades be posted to this column.',
  404: 'The learning platform has no such grade column any more.',
};

function outcomeOf(status: number): ScorePosted {
  if (status >= 200 && status < 300) return { outcome: 'accepted' };
  if (status === 409) return { outcome: 'conflict' };
  const message = WHY[status] ?? `The learning platform did not take the grade (status ${String(status)}).`;
  return { outcome: 'failed', retryable: mayPass(status), message };
}

/** Nobody answered, or there was no token: only a token that was refused for good is not worth another try. */
function notPosted(fault: unknown): ScorePosted {
  if (!(fault instanceof AppError)) throw fault;
  const isRefusal = fault.code === 'upstream_refused';
  return { outcome: 'failed', retryable: !isRefusal || fault.retryable, message: fault.message };
}

/** The grade that the platform shows a person, if it has one. */
export async function readResult(
  services: ServiceCalls,
  platform: ServicePlatform,
  lineItemUrl: string,
  subject: string,
): Promise<Result | undefined> {
  const url = withQuery(below(lineItemUrl, 'results'), { user_id: subject });
  const reply = await services.call(platform, [RESULT_SCOPE], { url, headers: { accept: RESULTS } });
  const results = Results.safeParse(answerIn(reply, 'tell a grade'));
  if (!results.success) throw unreadable();
  const result = results.data.find(({ userId }) => userId === subject);
  if (!result) return undefined;
  const { resultScore, resultMaximum, comment } = result;
  return { score: resultScore ?? null, maximum: resultMaximum ?? null, comment: comment ?? '' };
}
