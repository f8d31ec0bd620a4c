import { z } from 'zod';
import { Moment, type Told } from './common.js';

/** What the routes of scenarios and suites answer with. */

const Passed = z.boolean().nullable().describe('Null where it could not be decided.');

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

export const BegunSuiteRun = z.object({ id: z.string() });
export type BegunSuiteRun = Told<typeof BegunSuiteRun>;

const Progress = z.object({ done: z.number(), of: z.number() }).describe('How many askings there were.');
const Status = z.enum(['queued', 'running', 'done', 'failed', 'cancelled']);

export const SuiteRunEvent = z.object({ id: z.string(), status: Status, passed: Passed, progress: Progress });
export type SuiteRunEvent = Told<typeof SuiteRunEvent>;

export const SuiteRun = z.object({
  id: z.string(),
  assistant_id: z.number(),
  version: z.number(),
  cassette: z.enum(['live', 'record', 'replay']),
  repeat: z.number(),
  status: Status,
  passed: Passed,
  error: z.string().nullable().describe('Why it failed as a whole.'),
  progress: Progress,
  cost: z
    .number()
    .nullable()
    .describe('In the currency of the organisation; null where it has set no prices.'),
  tokens: z.number(),
  scenarios: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      required: z.boolean(),
      passed: Passed,
      runs: z.array(
        z.object({
          passed: Passed,
          answer: z.string(),
          expectations: z.array(
            z.object({
              expectation: Expectation,
              passed: Passed,
              why: z.string().describe('Quotes what decided.'),
            }),
          ),
        }),
      ),
    }),
  ),
  created_at: Moment,
  ended_at: Moment.nullable(),
});
export type SuiteRun = Told<typeof SuiteRun>;
