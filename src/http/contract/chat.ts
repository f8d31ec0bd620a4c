import { z } from 'zod';
import { Moment, type Told } from './common.js';

/** What the routes of conversations and approvals answer with. */

export const Conversation = z.object({
  id: z.string(),
  assistant_id: z.number(),
  assistant_name: z
    .string()
    .nullable()
    .describe("Null when it is gone, or no longer this person's to know of."),
  title: z.string(),
  pinned: z.boolean(),
  folder: z.string().nullable().describe('The folder that you have put it into, if any.'),
  messages: z.number().describe('How many.'),
  created_at: Moment,
  updated_at: Moment,
});
export type Conversation = Told<typeof Conversation>;

export const ConversationFolder = z.object({
  name: z.string(),
  conversations: z.number().describe('How many are in it.'),
});
export type ConversationFolder = Told<typeof ConversationFolder>;

export const Part = z.union([
  z.object({
    type: z.literal('text'),
    text: z.string(),
  }),
  z.object({
    type: z.literal('image_url'),
    image_url: z.object({
      url: z.string(),
      detail: z.enum(['auto', 'low', 'high']).exactOptional(),
    }),
  }),
  z
    .object({
      type: z.literal('file'),
      file: z.object({
        file_id: z.string().describe('Of an attachment of this conversation.'),
        filename: z.string(),
        media_type: z.string(),
        bytes: z.number(),
      }),
    })
    .describe('A file that was sent along.'),
]);
export type Part = Told<typeof Part>;

export const Content = z.union([z.string(), z.array(Part)]);
export type Content = Told<typeof Content>;

export const Source = z
  .object({
    n: z.number(),
    title: z.string(),
    url: z.string().optional(),
    similarity: z.number().optional(),
    corrected: z
      .boolean()
      .exactOptional()
      .describe('What is quoted is a correction of what the document says.'),
    type: z.string().exactOptional().describe('What kind of thing it is, where that is more than a passage.'),
    id: z.string().exactOptional(),
    path: z.string().exactOptional().describe("Of a file: relative to its owner's files."),
    chars: z.number().exactOptional().describe('How much of it was read, in characters.'),
    cited: z.boolean().describe('Whether the answer names it by its number.'),
  })
  .describe('Where an answer comes from.');
export type Source = Told<typeof Source>;

export const StepFacts = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
  .describe('What a tool told of what it did.');
export type StepFacts = Told<typeof StepFacts>;

export const AnswerStep = z
  .object({
    kind: z
      .enum(['placeholder', 'tool', 'assistant'])
      .describe('`assistant` for a call that asked another one.'),
    tool: z.string(),
    label: z.string().describe('In English.'),
    subject: z.string().optional().describe('What it is about, by its name.'),
    facts: StepFacts.exactOptional(),
    state: z.enum(['completed', 'failed', 'denied']),
    ms: z.number(),
    iteration: z.number().describe('The round of the model it belongs to; 0 before the first.'),
  })
  .describe('Something that was done for an answer, as it is kept with it.');
export type AnswerStep = Told<typeof AnswerStep>;

export const StoredMessage = z.object({
  role: z.enum(['user', 'assistant']),
  content: Content,
  run_id: z.string().nullable(),
  incomplete: z.boolean().describe('An answer that was cut off.'),
  created_at: Moment,
  sources: z.array(Source).exactOptional(),
  steps: z.array(AnswerStep).exactOptional(),
  rating: z.enum(['up', 'down']).exactOptional().describe('What you think of this answer.'),
});
export type StoredMessage = Told<typeof StoredMessage>;

export const WholeConversation = Conversation.omit({ messages: true }).extend({
  messages: z.array(StoredMessage),
  running_run_id: z
    .string()
    .nullable()
    .describe('A run that goes on by itself and whose answer is not kept yet: read its events.'),
});
export type WholeConversation = Told<typeof WholeConversation>;

export const OpenCall = z
  .object({
    call_id: z.string(),
    tool: z.string(),
    label: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    expires_at: Moment,
  })
  .describe('A call that waits for a yes or no.');
export type OpenCall = Told<typeof OpenCall>;

export const AnsweredCall = z.object({ run_id: z.string(), call_id: z.string(), approved: z.boolean() });
