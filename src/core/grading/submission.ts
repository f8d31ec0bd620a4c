import type { Page, PageRequest, Timestamp } from '../base/ids.js';
import type { Grade, GradingRubric, Proposal } from './grading.js';

export const SUBMISSION_STATUSES = [
  'submitted',
  'evaluating',
  'proposed',
  'failed',
  'approved',
  'posted',
  'rejected',
] as const;
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number];

/** Whether somebody still has to look at it, and whether whoever handed it in may take it back. */
export const UNDECIDED: readonly SubmissionStatus[] = ['submitted', 'evaluating', 'proposed', 'failed'];

/** `impossible`: the platform takes no grade here; somebody has to type it in. */
export type PostingState = 'none' | 'waiting' | 'posted' | 'failed' | 'impossible';

export interface Posting {
  readonly state: PostingState;
  readonly attempts: number;
  /** For the instructor's eyes. */
  readonly lastError: string | null;
  readonly postedAt: Timestamp | null;
}

/** A work that a student handed in for a grade. No grade leaves here before an instructor has approved it. */
export interface Submission {
  readonly id: string;
  readonly activityId: number;
  readonly userId: number;
  readonly status: SubmissionStatus;
  readonly version: number;
  readonly text: string;
  /** Sealed; null when the platform told no name. */
  readonly who: string | null;
  /** As it was when the work was handed in, or judged last. */
  readonly rubric: GradingRubric;
  readonly proposal: Proposal | null;
  /** What the instructor makes of the proposal. */
  readonly grade: Grade | null;
  /** Of a rejected one: what is said instead of a grade. */
  readonly rejection: string | null;
  readonly evaluationError: string | null;
  /** Who approved or rejected it. */
  readonly decidedBy: number | null;
  readonly decidedAt: Timestamp | null;
  /** What the platform orders scores by. */
  readonly scoreTimestamp: Timestamp | null;
  readonly posting: Posting;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export type NewSubmission = Pick<Submission, 'activityId' | 'userId' | 'text' | 'who' | 'rubric'>;

/** Which one, and as it was seen; without a version, as it is now. */
export interface Seen {
  readonly activityId: number;
  readonly id: string;
  readonly version?: number | undefined;
}

export interface SubmissionFilter {
  readonly activityId: number;
  readonly userId?: number | undefined;
  readonly status?: SubmissionStatus | undefined;
}

/** Changes answer undefined when it is gone, has moved on, or is not in a state for it. */
export interface SubmissionStore {
  /** A conflict while this person has one in this activity that has not come to its end. */
  submit(submission: NewSubmission): Promise<Submission>;
  get(activityId: number, id: string): Promise<Submission | undefined>;
  /** Newest first. */
  list(filter: SubmissionFilter, page: PageRequest): Promise<Page<Submission>>;
  edit(seen: Seen, grade: Grade): Promise<Submission | undefined>;
  /** From here on the grade stands, with the time it is told with; what is not `impossible` waits to be told. */
  approve(
    seen: Seen,
    by: { readonly userId: number; readonly impossible?: string | undefined },
  ): Promise<Submission | undefined>;
  reject(
    seen: Seen,
    by: { readonly userId: number; readonly comment: string },
  ): Promise<Submission | undefined>;
  evaluateAgain(seen: Seen): Promise<Submission | undefined>;
  /** Never over a grade that the same person was given after this one. */
  postAgain(seen: Seen): Promise<Submission | undefined>;
  /** False when it is not theirs, or has been decided. */
  withdraw(seen: Seen, userId: number): Promise<boolean>;
  /** All of one person in an activity, oldest first. */
  ofPerson(activityId: number, userId: number): Promise<readonly Submission[]>;
}

/** A submission that is to be evaluated or posted, and by whom: nobody else does so before the lease is over. */
export interface GradingWork {
  readonly submission: Submission;
  /** How many times it was taken on, this one included. */
  readonly attempts: number;
  readonly claim: string;
}

export type WorkKind = 'evaluate' | 'post';

/** What the background does. What is answered by `false` was somebody else's by then, or gone: nothing has changed. */
export interface GradingQueue {
  /** What has waited longest and may be taken on now. */
  claim(kind: WorkKind, lease: { readonly ms: number }): Promise<GradingWork | undefined>;
  /** Still at it. */
  keep(work: GradingWork, lease: { readonly ms: number }): Promise<boolean>;
  /** Not tried, after all. */
  release(kind: WorkKind, work: GradingWork): Promise<boolean>;
  later(
    kind: WorkKind,
    work: GradingWork,
    next: { readonly at: Timestamp; readonly reason: string },
  ): Promise<boolean>;
  /** The proposal is also the grade, until an instructor changes it. */
  propose(
    work: GradingWork,
    found: { readonly rubric: GradingRubric; readonly proposal: Proposal },
  ): Promise<boolean>;
  failEvaluation(work: GradingWork, reason: string): Promise<boolean>;
  /** Before the score is told with that time. */
  setScoreTimestamp(work: GradingWork, at: Timestamp): Promise<boolean>;
  posted(work: GradingWork): Promise<boolean>;
  failPosting(
    work: GradingWork,
    why: { readonly state: 'failed' | 'impossible'; readonly reason: string },
  ): Promise<boolean>;
}
