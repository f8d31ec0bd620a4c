export const SUBMISSION_STATES = [
  'submitted',
  'evaluating',
  'proposed',
  'failed',
  'approved',
  'posted',
  'rejected',
] as const;
export type SubmissionState = (typeof SUBMISSION_STATES)[number];

/** By criterion, which of its levels. */
export type Levels = Readonly<Record<string, string>>;

export interface GradedCriterion {
  readonly id: string;
  readonly title: string;
  /** In percent of the whole. */
  readonly weight: number;
  readonly levels: readonly GradedLevel[];
}

export interface GradedLevel {
  readonly id: string;
  readonly title: string;
  readonly points: number;
  readonly description?: string | null;
}

export interface GradedRubric {
  readonly id: string;
  readonly title: string;
  /** What the best levels come to. */
  readonly maximum?: number;
  readonly criteria: readonly GradedCriterion[];
}

/** What the assistant would give; nobody but the teacher sees it. */
export interface Proposal {
  readonly levels: Levels;
  readonly total: number;
  readonly maximum: number;
  readonly comment: string;
  readonly criteria: readonly { readonly id: string; readonly level: string; readonly reason: string }[];
}

/** What the teacher gives. What is handed back has words and no points. */
export interface Grade {
  readonly levels: Levels;
  readonly score: number | null;
  readonly maximum: number | null;
  readonly comment: string;
}

/** How far the grade is on its way into the course. */
export interface Posting {
  readonly state: 'none' | 'waiting' | 'posted' | 'failed' | 'impossible';
  readonly attempts: number;
  readonly last_error: string | null;
  readonly posted_at: string | null;
}

export interface Submission {
  readonly id: string | number;
  readonly activity_id: number;
  readonly status: SubmissionState;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly text: string;
  /** For teachers only. */
  readonly who?: { readonly name: string } | null;
  readonly rubric?: GradedRubric | null;
  readonly proposal?: Proposal | null;
  readonly grade?: Grade | null;
  readonly evaluation_error?: string | null;
  readonly posting?: Posting | null;
}

/** As a teacher changes it; points of one's own take the place of the levels' sum. */
export interface GradeChange {
  readonly levels?: Levels;
  readonly score?: number;
  readonly comment?: string;
}
