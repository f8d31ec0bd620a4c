import { z } from 'zod';
import { type Told } from './common.js';

/** What `/lamb/v1/usage` answers with. */

export const UsageFigures = z.object({
  runs: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  cached_tokens: z.number().describe("Of the prompt's, what the provider had already."),
  reasoning_tokens: z.number().describe("Of the completion's, what a model said to itself."),
  cost: z.number().nullable().describe('Null where there was no price.'),
});
export type UsageFigures = Told<typeof UsageFigures>;

export const UsageTotal = UsageFigures.extend({
  unpriced_runs: z.number().describe('Runs with a call that had no price, or whose price is not told.'),
  other_costs: z
    .array(
      z.object({
        currency: z.string(),
        cost: z.number(),
      }),
    )
    .describe('What was paid in other currencies, which is not in `cost`.'),
});
export type UsageTotal = Told<typeof UsageTotal>;

export const UsageRow = UsageFigures.extend({
  key: z.string(),
  label: z.string().describe('Empty for what has no name any more.'),
});
export type UsageRow = Told<typeof UsageRow>;

export const UsageReport = z.object({
  rows: z.array(UsageRow),
  total: UsageTotal,
  currency: z.string(),
});
export type UsageReport = Told<typeof UsageReport>;

export const UsageGroup = z.enum(['day', 'assistant', 'model', 'user', 'activity']);
export type UsageGroup = Told<typeof UsageGroup>;
