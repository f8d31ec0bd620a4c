/** What the routes of an activity's submissions answer with. */
export type SubmissionState =
  'submitted' | 'evaluating' | 'proposed' | 'failed' | 'approved' | 'posted' | 'rejected';

/** By criterion, which of its levels. */
export type Levels = Readonly<Record<string, string>>;

export interface GradedLevel {
  readonly id: string;
  readonly title: string;
  readonly points: number;
  readonly description: string;
}

export interface GradedCriterion {
  readonly id: string;
  readonly title: string;
  /** In percent of the whole. */
  readonly weight: number;
  readonly levels: readonly GradedLevel[];
}

export interface GradedRubric {
  readonly id: string;
  readonly title: string;
  /** What the best levels come to. */
  readonly maximum: number;
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
  readonly id: string;
  readonly activity_id: number;
  readonly status: SubmissionState;
  readonly version: number;
  readonly text: string;
  /** For teachers only, as the next two. */
  readonly who?: { readonly name: string };
  readonly rubric: GradedRubric | null;
  readonly proposal: Proposal | null;
  readonly grade: Grade | null;
  readonly evaluation_error: string | null;
  readonly posting: Posting;
  readonly created_at: string;
  readonly updated_at: string;
}
