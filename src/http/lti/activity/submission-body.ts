import { z } from 'zod';
import { badRequest, conflict, invalidConfiguration } from '../../../core/errors.js';
import { type Grade, type GradingRubric, scoreOf, unknownLevel } from '../../../core/grading/grading.js';
import { SUBMISSION_STATUSES, type Submission } from '../../../core/grading/submission.js';
import type { LaunchRole } from '../../../core/lti/launch.js';
import type { SecretBox } from '../../../core/organizations/secret-box.js';
import type * as wire from '../../contract/submissions.js';
import { PageQuery } from '../../middleware/query.js';

const LONGEST_TEXT = 50_000;
const comment = z.string().max(10_000);
const version = z.int().min(1);

export const SubmissionBody = z.strictObject({
  text: z
    .string()
    .max(LONGEST_TEXT, `must have at most ${String(LONGEST_TEXT)} characters`)
    .refine((text) => text.trim() !== '', 'must not be empty'),
  assistant_id: z.int().optional(),
});

export const SubmissionQuery = PageQuery.extend({ status: z.enum(SUBMISSION_STATUSES).optional() });

/** `version` as it was when they looked at it; left out, whatever it is now. */
export const GradeChange = z.strictObject({
  levels: z.record(z.string().max(50), z.string().max(50)).optional(),
  score: z.number().min(0).optional(),
  comment: comment.optional(),
  version: version.optional(),
});

export const Approval = z.strictObject({ version });
export const Rejection = z.strictObject({ version, comment: comment.default('') });
export const TryingAgain = z.strictObject({ version: version.optional() }).default({});

/** What is left out stays; points of the instructor's own hold until levels are chosen again. */
export function changedGrade(
  { rubric, grade }: Pick<Submission, 'rubric' | 'grade'>,
  change: z.output<typeof GradeChange>,
): Grade {
  const { maximum } = rubric;
  const levels = { ...grade?.levels, ...change.levels };
  const unknown = unknownLevel(rubric, levels);
  if (unknown !== undefined)
    throw invalidConfiguration(`"${unknown}" names no level of the rubric.`, 'levels');
  if ((change.score ?? 0) > maximum) {
    throw invalidConfiguration(`The score must be at most ${String(maximum)}.`, 'score');
  }
  const score = change.score ?? (change.levels ? totalOf(rubric, levels) : grade?.score);
  if (score === undefined)
    throw badRequest('Say which level each criterion reaches, or the score.', 'levels');
  return { levels, score, maximum, comment: change.comment ?? grade?.comment ?? '' };
}

function totalOf(rubric: GradingRubric, levels: Grade['levels']): number {
  const missing = rubric.criteria.find(({ id }) => levels[id] === undefined);
  if (missing) throw invalidConfiguration(`"${missing.title}" has no level yet.`, 'levels');
  return scoreOf(rubric, levels);
}

export const movedOn = () =>
  conflict('This submission has changed meanwhile, or is not in a state for this. Look at it as it is now.');

interface Reader {
  readonly role: LaunchRole;
  readonly box: SecretBox;
}

/** Whoever handed it in sees what became of it, never what was proposed. */
export function showSubmission(submission: Submission, { role, box }: Reader): wire.Submission {
  const { id, activityId, status, version: at, text, createdAt, updatedAt, posting } = submission;
  const isTeacher = role === 'instructor';
  const { rubric } = submission;
  return {
    ...{ id, activity_id: activityId, status, version: at, text },
    ...(isTeacher ? { who: { name: submission.who === null ? '' : box.open(submission.who) } } : {}),
    rubric: isTeacher ? rubric : null,
    proposal: isTeacher ? submission.proposal : null,
    grade: isTeacher || status === 'posted' || status === 'rejected' ? gradeOf(submission, isTeacher) : null,
    evaluation_error: isTeacher ? submission.evaluationError : null,
    posting: {
      state: posting.state,
      attempts: isTeacher ? posting.attempts : 0,
      last_error: isTeacher ? posting.lastError : null,
      posted_at: posting.postedAt,
    },
    ...{ created_at: createdAt, updated_at: updatedAt },
  };
}

/** A rejected one has words and no grade. */
function gradeOf({ status, grade, rejection }: Submission, isTeacher: boolean): wire.Grade | null {
  if (status === 'rejected') return { levels: {}, score: null, maximum: null, comment: rejection ?? '' };
  if (!grade) return null;
  const { score, maximum, comment: said } = grade;
  return { levels: isTeacher ? grade.levels : {}, score, maximum, comment: said };
}
