import { z } from 'zod';
import { Moment, type Told } from '../common.js';

/** What the routes of scenarios answer with. */

export const Expectation = z
  .record(z.string(), z.unknown())
  .describe('One key that says what is expected, and `turn` where it is not about the last answer.');

export const Scenario = z.object({
  id: z.number(),
  assistant_id: z.number(),
  name: z.string(),
  messages: z.array(z.object({ role: z.literal('user'), content: z.string() })),
  expect: z.array(Expectation),
  required: z.boolean().describe('Whether a version has to pass it before it reaches people.'),
  created_at: Moment,
  updated_at: Moment,
});
export type Scenario = Told<typeof Scenario>;

export const Scenarios = z.object({
  data: z.array(Scenario),
  next_cursor: z.null().describe('All are in one page.'),
});
export type Scenarios = Told<typeof Scenarios>;
