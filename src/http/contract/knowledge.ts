import { z } from 'zod';
import { Moment, pageOf, type Told } from './common.js';

/** What the routes below `/lamb/v1/collections` answer with. */

export const Collection = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  owner: z.string().describe("The owner's e-mail."),
  organization_id: z.number(),
  is_shared: z.boolean(),
  ocr: z.boolean().describe('Text is recognised in pictures and scanned pages.'),
  place: z
    .enum(['here', 'server'])
    .describe("Where its passages are: in our own database, or on the organisation's knowledge base server."),
  external_id: z.string().exactOptional().describe('What the server calls it.'),
  documents: z.number(),
  passages: z.number(),
  awaiting_vectors: z
    .number()
    .describe('Of these documents so many are found by their words, and are to get new vectors.'),
  may_edit: z.boolean(),
  created_at: Moment,
  updated_at: Moment,
});
export type Collection = Told<typeof Collection>;

export const DocumentStatus = z.enum(['queued', 'processing', 'ready', 'failed']);
export type DocumentStatus = Told<typeof DocumentStatus>;

export const DocumentStage = z.enum([
  'waiting',
  'fetching',
  'reading',
  'splitting',
  'indexing',
  'embedding',
  'done',
]);
export type DocumentStage = Told<typeof DocumentStage>;

export const SourceKind = z.enum(['moodle', 'web', 'git', 'folder']);
export type SourceKind = Told<typeof SourceKind>;

export const Schedule = z.enum(['off', 'hourly', 'daily', 'weekly']);
export type Schedule = Told<typeof Schedule>;

export const SourceSettings = z.object({
  site_url: z.string().exactOptional().describe('Moodle.'),
  course_id: z.number().exactOptional(),
  use_organization_token: z.boolean().exactOptional(),
  url: z.string().exactOptional().describe('A web page or a repository.'),
  sitemap: z.boolean().exactOptional(),
  branch: z.string().exactOptional(),
  folder: z.string().exactOptional(),
  files: z.array(z.string()).exactOptional(),
  path: z.string().exactOptional().describe('A folder of the server.'),
});
export type SourceSettings = Told<typeof SourceSettings>;

export const SourceRun = z.object({
  id: z.string(),
  status: z.enum(['running', 'done', 'failed']),
  started_at: Moment,
  ended_at: Moment.nullable(),
  error: z.string().optional().describe('Why it could not be brought in step, or not all of it.'),
  error_code: z
    .string()
    .optional()
    .describe(
      'Which reason that is, for clients with words of their own: `moodle_token`, `sitemap_missing`, `git_no_branch` and others. Absent in runs from before there were codes.',
    ),
  error_values: z
    .array(z.string())
    .exactOptional()
    .describe('Names and numbers that belong into its sentence, in their order.'),
  total: z.number(),
  done: z.number(),
  added: z.number(),
  changed: z.number(),
  removed: z.number(),
  unchanged: z.number(),
  skipped: z.number(),
  changes: z.array(
    z.object({
      name: z.string(),
      what: z.enum(['added', 'changed', 'removed']),
    }),
  ),
  failed: z.array(
    z.object({
      name: z.string(),
      reason: z.string(),
      code: z.string().optional().describe('Which reason that is, as in `error_code`.'),
      values: z.array(z.string()).optional(),
    }),
  ),
});
export type SourceRun = Told<typeof SourceRun>;

export const Source = z
  .object({
    id: z.string(),
    kind: SourceKind,
    name: z.string(),
    settings: SourceSettings,
    has_token: z.boolean().describe('It is never shown.'),
    schedule: Schedule,
    state: z.enum(['idle', 'waiting', 'running']).describe('Whether it is worth looking again soon.'),
    last_run: SourceRun.nullable(),
    next_run_at: Moment.nullable(),
    created_at: Moment,
    updated_at: Moment,
  })
  .describe('Where documents of a collection come from. What is in `settings` depends on its kind.');
export type Source = Told<typeof Source>;

export const KnowledgeDocument = z.object({
  id: z.string(),
  filename: z.string(),
  status: DocumentStatus,
  stage: DocumentStage,
  progress: z.number().describe('Per cent, of everything there is to do.'),
  error: z.string().optional().describe('Why it could not be read, where it failed.'),
  error_code: z
    .string()
    .optional()
    .describe(
      'Which reason that is, for clients with words of their own: `empty`, `encrypted`, `damaged` and others.',
    ),
  faults: z
    .array(
      z.object({
        page: z.number().optional(),
        message: z.string(),
        code: z
          .string()
          .optional()
          .describe(
            'Which fault that is, for clients with words of their own: `page_unread`, `sheet_hidden`, `pages_without_text` and others. Absent where it was read before there were codes.',
          ),
        values: z
          .array(z.string())
          .exactOptional()
          .describe('Names and numbers that belong into its sentence, in their order.'),
      }),
    )
    .describe('Parts that could not be taken in, while the rest could.'),
  format: z.string().optional(),
  pages: z.number().optional(),
  passages: z.number(),
  language: z.string().optional(),
  source_url: z.string().optional(),
  source: Source.pick({ id: true, kind: true, name: true })
    .optional()
    .describe('The source that brought it and keeps it in step.'),
  bytes: z.number(),
  sha256: z.string().optional(),
  embedded_with: z.string().optional(),
  off: z.boolean().describe('Nothing of it is found.'),
  off_until: z.string().optional().describe('When it is found again by itself.'),
  tags: z.array(z.string()),
  duplicate: z.boolean().exactOptional().describe('Of an upload: it was here already.'),
  created_at: Moment,
  updated_at: Moment,
});
export type KnowledgeDocument = Told<typeof KnowledgeDocument>;

export const DocumentPage = pageOf(KnowledgeDocument).extend({
  by_status: z
    .record(DocumentStatus, z.number())
    .describe('Of the whole collection, whatever the list was narrowed to.'),
});
export type DocumentPage = Told<typeof DocumentPage>;

export const AddedDocuments = z
  .object({
    documents: z.array(KnowledgeDocument),
    left_out: z
      .array(
        z.object({
          filename: z.string(),
          message: z.string(),
          code: z
            .string()
            .exactOptional()
            .describe(
              'Which reason that is, for clients with words of their own: `kind_not_taken` and others.',
            ),
          bound: z.number().exactOptional().describe('Of `too_large`: the bytes that are taken.'),
        }),
      )
      .exactOptional()
      .describe('Of archives: what was not taken in, and why.'),
  })
  .describe('What became of an upload.');
export type AddedDocuments = Told<typeof AddedDocuments>;

export const SourceList = z.object({
  data: z.array(Source),
  offers: z
    .object({
      organization_moodle: z.string().nullable().describe("The organisation's own, by its own token."),
      folders: z.array(z.string()),
    })
    .describe('What whoever asks may make sources of, beside what everybody may.'),
});
export type SourceList = Told<typeof SourceList>;

export const Passage = z.object({
  chunk_index: z.number(),
  page: z.number().optional(),
  page_end: z.number().optional(),
  section: z.string().optional(),
  start: z.number().describe("Where it begins and ends in the document's text."),
  end: z.number(),
  text: z.string(),
  off: z.boolean().describe('Never found.'),
  pinned: z.boolean().describe('First among what a question finds.'),
  corrected: z.boolean().describe('The text is not quite what the document says.'),
  original: z
    .string()
    .exactOptional()
    .describe('What the document says; for those who may edit the collection.'),
  recognised: z
    .literal(true)
    .exactOptional()
    .describe('Its text was recognised in a picture, or is what a model says of one.'),
  described: z.literal(true).exactOptional(),
});
export type Passage = Told<typeof Passage>;

export const StaleDecision = z
  .object({
    id: z.number(),
    original: z.string(),
    page: z.number().optional(),
    off: z.boolean(),
    pinned: z.boolean(),
    text: z.string().optional(),
    updated_at: Moment,
  })
  .describe('What was decided about a passage that is no longer there.');
export type StaleDecision = Told<typeof StaleDecision>;

export const Tag = z.object({
  tag: z.string(),
  documents: z.number(),
});
export type Tag = Told<typeof Tag>;

export const QuestionTarget = z
  .object({
    document_id: z.string(),
    filename: z.string(),
    page: z.number().optional(),
    chunk_index: z.number().optional().describe('Where it stands now.'),
    excerpt: z.string().optional().describe('How the passage begins.'),
    state: z.enum(['there', 'moved', 'gone']).describe('`moved`: its words are gone, its page has to do.'),
  })
  .describe('A document, one of its pages or one of its passages.');
export type QuestionTarget = Told<typeof QuestionTarget>;

export const TestQuestion = z.object({
  id: z.string(),
  question: z.string(),
  targets: z.array(QuestionTarget),
  rank: z
    .number()
    .nullable()
    .optional()
    .describe('In the last run; null when it was not found, absent when it was not asked.'),
  rank_before: z.number().nullable().optional().describe('In the run before that.'),
  created_at: Moment,
  updated_at: Moment,
});
export type TestQuestion = Told<typeof TestQuestion>;

export const AskedQuestion = z.object({
  id: z.string(),
  question: z.string(),
});
export type AskedQuestion = Told<typeof AskedQuestion>;

export const TestRun = z.object({
  id: z.number(),
  at: Moment,
  reason: z.enum(['request', 'change']),
  top_k: z.number(),
  embeddings: z.string().nullable(),
  asked: z.number(),
  found: z.number(),
  share: z.number(),
  mrr: z.number(),
  newly_found: z.array(AskedQuestion).describe('Beside the run before.'),
  lost: z.array(AskedQuestion),
});
export type TestRun = Told<typeof TestRun>;

export const TestQuestions = z.object({
  data: z.array(TestQuestion),
  most: z.number(),
  run: TestRun.nullable().describe('The last one; null when they were never asked.'),
});
export type TestQuestions = Told<typeof TestQuestions>;

export const VainQuestion = z
  .object({
    id: z.number(),
    question: z.string(),
    count: z.number(),
    last_asked_at: Moment,
  })
  .describe('Asked, and nothing was found.');
export type VainQuestion = Told<typeof VainQuestion>;

export const Reason = z.object({
  rank: z.number(),
  similarity: z.number(),
});
export type Reason = Told<typeof Reason>;

export const Finding = z
  .object({
    similarity: z.number(),
    data: z.string(),
    metadata: z.object({
      filename: z.string(),
      page: z.number().exactOptional(),
      page_end: z.number().exactOptional(),
      section: z.string().exactOptional(),
      chunk_index: z.number().exactOptional(),
      recognised: z.literal(true).exactOptional(),
      described: z.literal(true).exactOptional(),
      collection_id: z.string(),
      document_id: z.string().exactOptional(),
      source_url: z.string().exactOptional(),
      start: z.number().exactOptional().describe("Where it begins in the document's text."),
      end: z.number().exactOptional(),
      corrected: z.literal(true).exactOptional(),
      pinned: z.literal(true).exactOptional(),
      parent_text: z.string().exactOptional().describe('The whole section, where it was asked for.'),
    }),
    reasons: z
      .object({
        lexical: Reason.exactOptional(),
        vector: Reason.exactOptional(),
      })
      .exactOptional()
      .describe('By each way of looking; absent for what another server found.'),
    url: z.string().exactOptional().describe('Where it can be read, for whoever has this link.'),
  })
  .describe("A passage that a question has found, in the words of LAMB's knowledge base server.");
export type Finding = Told<typeof Finding>;

export const Findings = z.object({
  results: z.array(Finding),
  count: z.number(),
  query: z.string(),
  embeddings: z
    .string()
    .nullable()
    .describe('The model that looked by meaning; null when only words were looked for.'),
  nothing_fits: z
    .boolean()
    .describe('There were passages, and none that has to do with the question: `keep_weak` brings them.'),
});
export type Findings = Told<typeof Findings>;

export const PassageInSection = Passage.extend({
  section_text: z.string().describe('The whole section it stands in.'),
});
