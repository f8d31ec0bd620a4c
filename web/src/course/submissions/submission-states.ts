import type { Submission, SubmissionState } from '../../../../src/http/contract/submissions.ts';

export const SUBMISSION_STATES = [
  'submitted',
  'evaluating',
  'proposed',
  'failed',
  'approved',
  'posted',
  'rejected',
] as const satisfies readonly SubmissionState[];

type Known = Pick<Submission, 'status' | 'posting'>;

const OPEN: readonly SubmissionState[] = ['submitted', 'evaluating', 'proposed', 'failed'];

/** Nobody has decided: a student may take it back. */
export const isOpen = ({ status }: Pick<Submission, 'status'>): boolean => OPEN.includes(status);

/** There is something to decide, or it could not be evaluated and is graded by hand. */
export const mayGrade = ({ status }: Pick<Submission, 'status'>): boolean =>
  status === 'proposed' || status === 'failed';

/** Something happens to it by itself: it is worth looking again. */
export const isUnderWay = ({ status, posting }: Known): boolean =>
  status === 'submitted' ||
  status === 'evaluating' ||
  (status === 'approved' && (posting.state === 'waiting' || posting.state === 'none'));

/** What a student is told: what happens between the assistant and the teacher is theirs to know. */
export type StudentState = 'open' | 'approved' | 'posted' | 'rejected';

export const studentStateOf = ({ status }: Pick<Submission, 'status'>): StudentState =>
  status === 'approved' || status === 'posted' || status === 'rejected' ? status : 'open';

/** More than that is refused. */
export const MOST_CHARACTERS = 50_000;

export interface Length {
  readonly words: number;
  readonly characters: number;
}

/** Characters as the service counts them. */
export function lengthOf(text: string): Length {
  const words = text.split(/\s+/u).filter((word) => word !== '').length;
  return { words, characters: text.length };
}
