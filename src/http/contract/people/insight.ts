import { z } from 'zod';
import { Moment, type Told } from '../common.js';

/** What the routes of an assistant's insight and of its annotations answer with. Ids of people are nowhere in it. */

const Quoted = z.object({
  question: z
    .string()
    .nullable()
    .describe('Null where it is kept for whoever asked it alone, or not kept any more.'),
  answer: z.string().nullable(),
  run_id: z
    .string()
    .nullable()
    .describe('Null where you may not see the run, or where it would tell whose words these are.'),
  at: Moment,
});

export const RatedAnswer = Quoted.extend({
  rating: z.enum(['up', 'down']),
  comment: z.string().nullable(),
});
export type RatedAnswer = Told<typeof RatedAnswer>;

export const FrequentQuestion = z.object({
  words: z.array(z.string()).describe('What the questions have in common, most common first.'),
  questions: z.number(),
  people: z.number().nullable().describe('Null for fewer than five.'),
  example: z.string().nullable().describe('One of them, where it may be shown.'),
});
export type FrequentQuestion = Told<typeof FrequentQuestion>;

export const SourcelessAnswer = Quoted;
export type SourcelessAnswer = Told<typeof SourcelessAnswer>;

export const Insight = z.object({
  period: z.object({ from: z.string(), to: z.string() }),
  questions: z.number().describe('How many were looked at: the newest 1,000 that are kept, at most.'),
  suppressed: z
    .boolean()
    .describe('There is more that is not counted: of small groups, of visitors, or promised to be private.'),
  feedback: z.object({
    up: z.number(),
    down: z.number(),
    answers: z.array(RatedAnswer).describe('Those that were no help first, then the newest; 100 at most.'),
  }),
  frequent: z.array(FrequentQuestion).describe('The most frequent first, 20 at most.'),
  sourceless: z
    .object({
      answers: z.number().describe('How many cite no source.'),
      of: z.number().describe('How many were answered.'),
      examples: z.array(SourcelessAnswer).describe('Those that may be shown, the newest first, 20 at most.'),
    })
    .nullable()
    .describe('Null for an assistant that looks nothing up.'),
});
export type Insight = Told<typeof Insight>;

export const Annotation = z.object({
  id: z.number(),
  question: z.string(),
  answer: z.string(),
  status: z
    .enum(['draft', 'active'])
    .describe('What is active is shown to the model as an example when a question is like it.'),
  run_id: z.string().nullable().describe('The run whose answer it corrects.'),
  created_at: Moment,
  updated_at: Moment,
});
export type Annotation = Told<typeof Annotation>;
