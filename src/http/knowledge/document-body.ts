import { z } from 'zod';
import {
  type DocumentStatus,
  FOR_GOOD,
  type KnowledgeDocument,
  type PartFault,
} from '../../core/knowledge/document.js';
import type { StoredPassage } from '../../core/knowledge/passage.js';
import type { PartFaultCode } from '../../core/knowledge/reading-faults.js';
import type { Source } from '../../core/knowledge/source.js';
import type * as wire from '../contract/knowledge.js';
import { PageQuery } from '../middleware/query.js';

const LONGEST_URL = 2_000;
const STATUSES = ['queued', 'processing', 'ready', 'failed'] as const satisfies readonly DocumentStatus[];

export const DocumentList = PageQuery.extend({
  q: z.string().max(200).optional(),
  status: z.enum(STATUSES).optional(),
});

export const FromAddress = z.strictObject({
  url: z
    .string()
    .trim()
    .max(LONGEST_URL)
    .refine((url) => /^https?:\/\//i.test(url) && URL.canParse(url), 'must be an http:// or https:// URL')
    .transform((url) => new URL(url))
    .refine(({ username, password }) => username === '' && password === '', 'must not hold a password'),
});

/** Of one document. */
export const MOST_TAGS = 10;
const LONGEST_TAG = 40;

/** Short words, the same however they are written. */
const Tag = z
  .string()
  .transform((tag) => tag.normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase())
  .refine((tag) => tag !== '' && tag.length <= LONGEST_TAG && !/\p{Cc}/u.test(tag), {
    message: `must have 1 to ${String(LONGEST_TAG)} characters`,
  });

export const Question = z.strictObject({
  query_text: z.string().trim().min(1, 'must not be empty').max(8_000),
  top_k: z.number().int().min(1).max(100).default(5),
  threshold: z.number().min(0).max(1).default(0),
  parent_context: z.boolean().default(false),
  keep_weak: z.boolean().optional(),
  tags: z.array(Tag).max(MOST_TAGS).optional(),
});

/** What it leaves out stays. */
export const DocumentChange = z
  .strictObject({
    off: z.boolean().optional(),
    off_until: z.iso.datetime({ offset: true }).optional(),
    tags: z
      .array(Tag)
      .max(MOST_TAGS, `must be ${String(MOST_TAGS)} at most`)
      .optional(),
  })
  .refine(({ off, off_until }) => off !== false || off_until === undefined, {
    message: 'belongs to a document that is off',
    path: ['off_until'],
  })
  .refine(({ off_until }) => off_until === undefined || Date.parse(off_until) > Date.now(), {
    message: 'must lie in the future',
    path: ['off_until'],
  })
  .transform(({ off, off_until, tags }) => ({ tags, offUntil: offUntilOf(off, off_until) }));

function offUntilOf(off: boolean | undefined, until: string | undefined): string | null | undefined {
  if (until !== undefined) return new Date(until).toISOString();
  return off === undefined ? undefined : off ? FOR_GOOD : null;
}

export const TagChange = z.strictObject({
  documents: z.array(z.string().max(100)).min(1, 'name at least one document').max(200),
  add: z.array(Tag).max(MOST_TAGS).default([]),
  remove: z.array(Tag).max(MOST_TAGS).default([]),
});

const WORDS_ALONE: PartFault = {
  message:
    'Found by its words alone so far: it has no embeddings yet. They are made in the background once the embedding model answers.',
  code: 'words_alone' satisfies PartFaultCode,
};

interface DocumentFacts {
  readonly wantsVectors: boolean;
  readonly duplicate?: boolean;
  /** Those of its collection. */
  readonly sources?: readonly Source[];
}

/** Whether its organisation wants vectors decides whether their lack is worth telling. */
export function showDocument(
  document: KnowledgeDocument,
  { wantsVectors, duplicate, sources = [] }: DocumentFacts,
): wire.KnowledgeDocument {
  const { status, embeddedWith } = document;
  const source = sources.find(({ id }) => id === document.sourceId);
  const lacksVectors = wantsVectors && status === 'ready' && embeddedWith === undefined;
  return {
    id: document.id,
    filename: document.filename,
    status,
    stage: document.stage,
    progress: document.progress,
    // A new attempt at vectors that failed leaves the document as it was: found.
    error: status === 'failed' ? document.error : undefined,
    error_code: status === 'failed' ? document.errorCode : undefined,
    faults: lacksVectors ? [...document.faults, WORDS_ALONE] : document.faults,
    format: document.format,
    pages: document.pages,
    passages: document.passages,
    language: document.language,
    source_url: document.sourceUrl,
    source: source && { id: source.id, kind: source.settings.kind, name: source.name },
    bytes: document.bytes,
    sha256: document.sha256,
    embedded_with: embeddedWith,
    ...offOf(document),
    tags: document.tags,
    ...(duplicate ? { duplicate } : {}),
    created_at: document.createdAt,
    updated_at: document.updatedAt,
  };
}

function offOf({ offUntil }: KnowledgeDocument): Pick<wire.KnowledgeDocument, 'off' | 'off_until'> {
  const off = isOff({ offUntil });
  return { off, ...(off && offUntil !== FOR_GOOD ? { off_until: offUntil } : {}) };
}

export const isOff = ({ offUntil }: Pick<KnowledgeDocument, 'offUntil'>): boolean =>
  offUntil !== undefined && offUntil > new Date().toISOString();

export function showPassage(
  passage: StoredPassage,
  { mayEdit }: { readonly mayEdit: boolean },
): wire.Passage {
  return {
    chunk_index: passage.position,
    page: passage.page,
    page_end: passage.pageEnd,
    ...(passage.section === '' ? {} : { section: passage.section }),
    start: passage.start,
    end: passage.end,
    text: passage.text,
    off: passage.isOff,
    pinned: passage.isPinned,
    corrected: passage.original !== undefined,
    ...(mayEdit && passage.original !== undefined ? { original: passage.original } : {}),
    ...(passage.origin === 'recognised' ? { recognised: true } : {}),
    ...(passage.origin === 'described' ? { described: true } : {}),
  };
}
