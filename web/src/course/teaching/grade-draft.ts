import type { Grade, Levels, Submission } from '../../../../src/http/contract/submissions.ts';
import type { GradeChange } from '../submissions/submissions-api.ts';
import { totalOf } from './grade-total.ts';

/** A grade in the making. */
export interface GradeDraft {
  readonly levels: Levels;
  /** As typed; undefined where the levels decide. */
  readonly score: string | undefined;
  readonly comment: string;
}

type Graded = Pick<Submission, 'rubric' | 'proposal' | 'grade'>;

/** Begins with what the teacher has saved, else with what was proposed. */
export function draftOf(submission: Graded): GradeDraft {
  const { grade, proposal } = submission;
  if (grade) return { levels: grade.levels, score: ownScore(submission, grade), comment: grade.comment };
  const own = submission.rubric ? undefined : '';
  return { levels: proposal?.levels ?? {}, score: own, comment: proposal?.comment ?? '' };
}

/** Of how many points; undefined where nothing has said so yet. */
export const maximumOf = ({ grade, proposal, rubric }: Graded): number | undefined =>
  grade?.maximum ?? proposal?.maximum ?? rubric?.maximum;

/** What the levels come to, whether or not the teacher gives other points. */
export function levelTotal(submission: Graded, { levels }: Pick<GradeDraft, 'levels'>): number | undefined {
  const maximum = maximumOf(submission);
  return submission.rubric && maximum !== undefined ? totalOf(submission.rubric, levels, maximum) : undefined;
}

/** The points as they would be given; undefined where they are not known yet. */
export function scoreOf(submission: Graded, draft: GradeDraft): number | undefined {
  return draft.score === undefined ? levelTotal(submission, draft) : numberIn(draft.score);
}

export type ScoreFault = 'no-number' | 'too-many';

export function scoreFault(submission: Graded, { score }: GradeDraft): ScoreFault | undefined {
  if (score === undefined) return undefined;
  const points = numberIn(score);
  if (points === undefined) return 'no-number';
  return points > (maximumOf(submission) ?? Infinity) ? 'too-many' : undefined;
}

export const isChanged = (submission: Graded, draft: GradeDraft): boolean =>
  lookOf(draft) !== lookOf(draftOf(submission));

/** As the service takes it. */
export function changeOf({ levels, score, comment }: GradeDraft): GradeChange {
  const points = score === undefined ? undefined : numberIn(score);
  return {
    ...(Object.keys(levels).length === 0 ? {} : { levels }),
    ...(points === undefined ? {} : { score: points }),
    comment: comment.trim(),
  };
}

/** Points of the teacher's own, and not what the levels come to. */
function ownScore(submission: Graded, { levels, score }: Grade): string | undefined {
  return score === null || levelTotal(submission, { levels }) === score ? undefined : String(score);
}

const lookOf = ({ levels, score, comment }: GradeDraft): string =>
  JSON.stringify([Object.entries(levels).sort(([a], [b]) => a.localeCompare(b)), score, comment.trim()]);

/** Written with a point or with a comma. */
function numberIn(text: string): number | undefined {
  const trimmed = text.trim().replace(',', '.');
  return /^\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : undefined;
}
