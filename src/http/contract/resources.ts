import { z } from 'zod';
import { Moment, type Told } from './common.js';

/** What the routes of rubrics, of somebody's own files and of what they send along answer with. */

export const Rubric = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  owner: z.string().describe("The owner's e-mail."),
  organization_id: z.number(),
  is_public: z.boolean(),
  rubric_data: z
    .record(z.string(), z.unknown())
    .describe('As its author keeps it: what we do not know is passed on.'),
  warnings: z.array(z.string()),
  may_edit: z.boolean(),
  created_at: Moment,
  updated_at: Moment,
});
export type Rubric = Told<typeof Rubric>;

export const StoredFile = z.object({
  path: z.string(),
  size: z.number(),
  type: z.string().describe('By its name.'),
  updated_at: Moment,
});
export type StoredFile = Told<typeof StoredFile>;

export const Folder = z.object({
  path: z.string(),
  type: z.literal('folder'),
  files: z.number().describe('All that lie below it.'),
});
export type Folder = Told<typeof Folder>;

export const Attachment = z
  .object({
    id: z.string(),
    filename: z.string(),
    media_type: z.string().describe('As its bytes say.'),
    bytes: z.number(),
    status: z.enum(['reading', 'ready', 'failed']),
    error: z.string().exactOptional().describe('Why it cannot be used, where it failed.'),
    error_code: z
      .string()
      .exactOptional()
      .describe(
        'Which reason that is, for clients with words of their own: `empty`, `encrypted`, `damaged` and others.',
      ),
  })
  .describe('A file that was sent along.');
export type Attachment = Told<typeof Attachment>;

export const RubricPreview = z.object({ markdown: z.string(), warnings: z.array(z.string()) });
