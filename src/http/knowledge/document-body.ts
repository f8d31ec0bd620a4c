import { z } from 'zod';
import type { DocumentStatus, KnowledgeDocument, PartFault } from '../../core/knowledge/document.js';
import type { StoredPassage } from '../../core/knowledge/passage.js';
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

export const Question = z.strictObject({
  query_text: z.string().trim().min(1, 'must not be empty').max(8_000),
  top_k: z.number().int().min(1).max(100).default(5),
  threshold: z.number().min(0).max(1).default(0),
  parent_context: z.boolean().default(false),
  keep_weak: z.boolean().optional(),
});

const WORDS_ALONE: PartFault = {
  message:
    'Found by its words alone so far: it has no embeddings yet. They are made in the background once the embedding model answers.',
};

/** Whether its organisation wants vectors decides whether their lack is worth telling. */
export function showDocument(
  document: KnowledgeDocument,
  { wantsVectors, duplicate }: { readonly wantsVectors: boolean; readonly duplicate?: boolean },
): wire.KnowledgeDocument {
  const { status, embeddedWith } = document;
  const lacksVectors = wantsVectors && status === 'ready' && embeddedWith === undefined;
  return {
    id: document.id,
    filename: document.filename,
    status,
    stage: document.stage,
    progress: document.progress,
    // A new attempt at vectors that failed leaves the document as it was: found.
    error: status === 'failed' ? document.error : undefined,
    faults: lacksVectors ? [...document.faults, WORDS_ALONE] : document.faults,
    format: document.format,
    pages: document.pages,
    passages: document.passages,
    language: document.language,
    source_url: document.sourceUrl,
    bytes: document.bytes,
    sha256: document.sha256,
    embedded_with: embeddedWith,
    ...(duplicate ? { duplicate } : {}),
    created_at: document.createdAt,
    updated_at: document.updatedAt,
  };
}

export function showPassage(passage: StoredPassage): wire.Passage {
  return {
    chunk_index: passage.position,
    page: passage.page,
    page_end: passage.pageEnd,
    ...(passage.section === '' ? {} : { section: passage.section }),
    start: passage.start,
    end: passage.end,
    text: passage.text,
  };
}
