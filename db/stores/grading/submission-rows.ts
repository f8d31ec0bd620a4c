import type { Knex } from 'knex';
import type { Grade, GradingRubric, Proposal } from '../../../src/core/grading/grading.js';
import type {
  PostingState,
  Submission,
  SubmissionStatus,
  WorkKind,
} from '../../../src/core/grading/submission.js';
import type { Timestamp } from '../../../src/core/stores.js';
import { now } from '../../query/now.js';

export interface SubmissionRow {
  readonly id: string;
  readonly activity_id: number;
  readonly user_id: number;
  readonly status: SubmissionStatus;
  readonly version: number;
  readonly is_open: 1 | null;
  readonly text: string;
  readonly who: string | null;
  /** JSON, all three. */
  readonly rubric: string;
  readonly proposal: string | null;
  readonly grade: string | null;
  readonly rejection: string | null;
  readonly decided_by: number | null;
  readonly decided_at: Timestamp | null;
  readonly work: WorkKind | null;
  readonly next_attempt_at: Timestamp | null;
  readonly claim: string | null;
  readonly lease_until: Timestamp | null;
  readonly evaluation_attempts: number;
  readonly evaluation_error: string | null;
  readonly posting: PostingState;
  readonly posting_attempts: number;
  readonly posting_error: string | null;
  readonly score_timestamp: Timestamp | null;
  readonly posted_at: Timestamp | null;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

export function toSubmission(row: SubmissionRow): Submission {
  return {
    id: row.id,
    activityId: row.activity_id,
    userId: row.user_id,
    status: row.status,
    version: row.version,
    text: row.text,
    who: row.who,
    rubric: JSON.parse(row.rubric) as GradingRubric,
    proposal: row.proposal === null ? null : (JSON.parse(row.proposal) as Proposal),
    grade: row.grade === null ? null : (JSON.parse(row.grade) as Grade),
    evaluationError: row.evaluation_error,
    rejection: row.rejection,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    scoreTimestamp: row.score_timestamp,
    posting: {
      state: row.posting,
      attempts: row.posting_attempts,
      lastError: row.posting_error,
      postedAt: row.posted_at,
    },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Something that an instructor would want to have seen. */
export function movedOn(db: Knex) {
  return { version: db.raw('version + 1'), updated_at: now() };
}

/** To be done at once, by whoever comes first. */
export function workToDo(kind: WorkKind) {
  return { work: kind, next_attempt_at: now(), claim: null, lease_until: null };
}

export const NO_WORK = { work: null, next_attempt_at: null, claim: null, lease_until: null } as const;
