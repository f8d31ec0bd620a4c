import { z } from 'zod';
import { Moment, type Told } from './common.js';

/** What the routes of an activity's submissions answer with. */

export const SubmissionState = z.enum([
  'submitted',
  'evaluating',
  'proposed',
  'failed',
  'approved',
  'posted',
  'rejected',
]);
export type SubmissionState = Told<typeof SubmissionState>;

export const Levels = z.record(z.string(), z.string()).describe('By criterion, which of its levels.');
export type Levels = Told<typeof Levels>;

export const GradedLevel = z.object({
  id: z.string(),
  title: z.string(),
  points: z.number(),
  description: z.string(),
});
export type GradedLevel = Told<typeof GradedLevel>;

export const GradedCriterion = z.object({
  id: z.string(),
  title: z.string(),
  weight: z.number().describe('In percent of the whole.'),
  levels: z.array(GradedLevel),
});
export type GradedCriterion = Told<typeof GradedCriterion>;

export const GradedRubric = z.object({
  id: z.string(),
  title: z.string(),
  maximum: z.number().describe('What the best levels come to.'),
  criteria: z.array(GradedCriterion),
});
export type GradedRubric = Told<typeof GradedRubric>;

export const Proposal = z
  .object({
    levels: Levels,
    total: z.number(),
    maximum: z.number(),
    comment: z.string(),
    criteria: z.array(
      z.object({
        id: z.string(),
        level: z.string(),
        reason: z.string(),
      }),
    ),
  })
  .describe('What the assistant would give; nobody but the teacher sees it.');
export type Proposal = Told<typeof Proposal>;

export const Grade = z
  .object({
    levels: Levels,
    score: z.number().nullable(),
    maximum: z.number().nullable(),
    comment: z.string(),
  })
  .describe('What the teacher gives. What is handed back has words and no points.');
export type Grade = Told<typeof Grade>;

export const Posting = z
  .object({
    state: z.enum(['none', 'waiting', 'posted', 'failed', 'impossible']),
    attempts: z.number(),
    last_error: z.string().nullable(),
    posted_at: Moment.nullable(),
  })
  .describe('How far the grade is on its way into the course.');
export type Posting = Told<typeof Posting>;

export const Submission = z.object({
  id: z.string(),
  activity_id: z.number(),
  status: SubmissionState,
  version: z.number(),
  text: z.string(),
  who: z
    .object({
      name: z.string(),
    })
    .exactOptional()
    .describe('For teachers only, as the next two.'),
  rubric: GradedRubric.nullable(),
  proposal: Proposal.nullable(),
  grade: Grade.nullable(),
  evaluation_error: z.string().nullable(),
  posting: Posting,
  created_at: Moment,
  updated_at: Moment,
});
export type Submission = Told<typeof Submission>;
