import { z } from 'zod';
import { Moment, type Told } from '../common.js';
import { Expectation } from './scenarios.js';

/** What the routes of suite runs answer with. */

const Passed = z.boolean().nullable().describe('Null where it could not be decided.');

export const BegunSuiteRun = z.object({ id: z.string() });
export type BegunSuiteRun = Told<typeof BegunSuiteRun>;

const Progress = z.object({ done: z.number(), of: z.number() }).describe('How many askings there were.');
const Status = z.enum(['queued', 'running', 'done', 'failed', 'cancelled']);

export const SuiteRunEvent = z.object({ id: z.string(), status: Status, passed: Passed, progress: Progress });
export type SuiteRunEvent = Told<typeof SuiteRunEvent>;

export const SuiteRunFacts = z.object({
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
  currency: z.string(),
  tokens: z.number(),
  nightly: z.boolean().describe('Whether it is the run of a night, which nobody pressed a button for.'),
  created_at: Moment,
  ended_at: Moment.nullable(),
});
export type SuiteRunFacts = Told<typeof SuiteRunFacts>;

export const SuiteRuns = z.object({
  data: z.array(SuiteRunFacts),
  next_cursor: z.null().describe('Those that are kept are in one page, newest first.'),
  nightly_at: z
    .string()
    .nullable()
    .describe('When those of the night are run, in UTC; null where the service runs none.'),
});
export type SuiteRuns = Told<typeof SuiteRuns>;

export const Reason = z.object({
  code: z.string(),
  values: z
    .array(z.string())
    .exactOptional()
    .describe('Names and numbers that belong into the sentence; of a fault, its message and its code.'),
  quote: z
    .object({ before: z.string(), words: z.string(), after: z.string() })
    .exactOptional()
    .describe('Of the answer: the words that decide, if any do, and what stands around them.'),
});
export type Reason = Told<typeof Reason>;

export const SuiteEstimate = z
  .object({
    questions: z.number(),
    tokens: z.number(),
    cost: z.number().nullable().describe('Null where no price is set for the model.'),
    currency: z.string(),
    based_on: z
      .enum(['last_run', 'length'])
      .describe('What the scenarios took the last time; else how long prompt and messages are.'),
  })
  .describe('About what a run will take.');
export type SuiteEstimate = Told<typeof SuiteEstimate>;

export const SuiteRun = SuiteRunFacts.extend({
  current: z
    .boolean()
    .describe('Whether the newest version of the assistant says the same as the one that was tried.'),
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
              reason: Reason.exactOptional().describe(
                'What `why` says, for clients with words of their own. Absent where a model has said it.',
              ),
            }),
          ),
        }),
      ),
    }),
  ),
});
export type SuiteRun = Told<typeof SuiteRun>;
