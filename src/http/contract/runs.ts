import { z } from 'zod';
import { Moment, type Told } from './common.js';

/** What the routes below `/lamb/v1/runs` answer with. */

export const RunStatus = z.enum(['completed', 'failed', 'cancelled', 'timed_out']);
export type RunStatus = Told<typeof RunStatus>;

export const CancelledRun = z.object({
  run_id: z.string(),
  status: z
    .enum(['cancelling', ...RunStatus.options])
    .describe('What became of it; `cancelling` when it has not come to its end yet.'),
});
export type CancelledRun = Told<typeof CancelledRun>;

export const TokenUse = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  cached_tokens: z
    .number()
    .exactOptional()
    .describe("Of the prompt's, what the provider had already; where it says so."),
  reasoning_tokens: z
    .number()
    .exactOptional()
    .describe("Of the completion's, what a model said to itself; where the provider says so."),
  estimated: z.boolean().exactOptional().describe('Counted here, because the provider did not tell.'),
});
export type TokenUse = Told<typeof TokenUse>;

export const Run = z.object({
  id: z.string(),
  parent_run_id: z.string().nullable(),
  assistant_id: z.number().nullable().describe('Null for a tool that was run directly.'),
  assistant_name: z.string().nullable().describe('Null when it is gone.'),
  version: z.number().nullable(),
  caller: z
    .object({
      user_id: z.number().nullable(),
      via: z.string(),
    })
    .describe('Who asked is known to themselves and to administrators.'),
  own: z.boolean(),
  conversation_id: z.string().nullable(),
  started_at: Moment,
  ms: z.number(),
  status: RunStatus,
  error_code: z.string().nullable(),
  iterations: z.number(),
  capped: z.union([z.literal(false), z.literal('rounds'), z.literal('time'), z.literal('budget')]),
  model: z.string().nullable(),
  usage: TokenUse,
  cost: z.number().nullable().describe('Null where no price is known.'),
  currency: z.string(),
});
export type Run = Told<typeof Run>;

export const Fingerprint = z.object({
  chars: z.number(),
  sha256: z.string().exactOptional(),
});
export type Fingerprint = Told<typeof Fingerprint>;

export const RunStep = z.object({
  kind: z.enum(['placeholder', 'model', 'tool']),
  tool: z.string().exactOptional(),
  connector: z.string().optional(),
  model: z.string().exactOptional(),
  ok: z.boolean(),
  started_at: Moment,
  at: z.number().describe('Milliseconds from the start of the run.'),
  ms: z.number(),
  iteration: z.number(),
  input: Fingerprint.describe('How long it was, and a hash of it for those who may know who asked.'),
  output: Fingerprint,
  cost: z.number().nullable().describe('Null where no price is known, or nothing was to be paid.'),
  usage: TokenUse.exactOptional(),
  child_run_id: z.string().exactOptional(),
  detail: z.record(z.string(), z.union([z.string(), z.number()])).exactOptional(),
  facts: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
    .exactOptional(),
});
export type RunStep = Told<typeof RunStep>;

const Rating = z.enum(['up', 'down']);

export const Feedback = z.object({ rating: Rating, comment: z.string().nullable(), at: Moment });
export type Feedback = Told<typeof Feedback>;

export const AssistantFeedback = z.object({
  up: z.number(),
  down: z.number(),
  comments: z
    .array(z.object({ run_id: z.string(), rating: Rating, comment: z.string(), at: Moment }))
    .describe('The newest first, 200 at the most.'),
  suppressed: z
    .boolean()
    .describe('There is more, of activities in which fewer than five students have said what they think.'),
});
export type AssistantFeedback = Told<typeof AssistantFeedback>;

export const RunWithSteps = Run.extend({
  steps: z.array(RunStep),
  feedback: Feedback.nullable().describe('Your own, of a run that you asked for.'),
});
export type RunWithSteps = Told<typeof RunWithSteps>;

export const FollowUps = z.object({
  follow_ups: z.array(z.string()).describe('Questions that could be asked next, 3 at the most.'),
});
export type FollowUps = Told<typeof FollowUps>;
