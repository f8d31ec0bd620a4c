import type { Draft } from './draft.ts';

/** What a classic assistant knows of beyond its prompt: one thing, or nothing. */
export const SOURCES = ['none', 'collections', 'rubric', 'file'] as const;
export type SourceKind = (typeof SOURCES)[number];

const OF_PROCESSOR: Readonly<Record<string, SourceKind>> = {
  simple_rag: 'collections',
  context_aware_rag: 'collections',
  hierarchical_rag: 'collections',
  knowledge_store_rag: 'collections',
  rubric_rag: 'rubric',
  single_file_rag: 'file',
};
const PROCESSORS: Readonly<Record<SourceKind, string>> = {
  none: 'no_rag',
  collections: 'simple_rag',
  rubric: 'rubric_rag',
  file: 'single_file_rag',
};
const MOST_TOP_K = 20;
export const RUBRIC_FORMATS = ['markdown', 'json'] as const;

/** Undefined for a processor that came from elsewhere: it is kept until another one is chosen. */
export function sourceOf({ metadata }: Draft): SourceKind | undefined {
  const processor = metadata.rag_processor ?? '';
  if (typeof processor !== 'string') return undefined;
  if (processor === '' || /^no[ _-]?rag$/i.test(processor)) return 'none';
  return Object.hasOwn(OF_PROCESSOR, processor) ? OF_PROCESSOR[processor] : undefined;
}

/** What was chosen for another source stays, so that one can go back to it. */
export function withSource(draft: Draft, source: SourceKind): Draft {
  if (sourceOf(draft) === source) return draft;
  return { ...draft, metadata: { ...draft.metadata, rag_processor: PROCESSORS[source] } };
}

export const collectionsOf = ({ RAG_collections }: Draft): readonly string[] =>
  RAG_collections.split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');

export const withCollections = (draft: Draft, ids: readonly string[]): Draft => ({
  ...draft,
  RAG_collections: ids.join(','),
});

/** What was typed may be no number at all. */
export const isTopKWrong = (draft: Draft): boolean => {
  const topK: unknown = draft.RAG_Top_k;
  if (topK === null || topK === 0 || sourceOf(draft) !== 'collections') return false;
  return typeof topK !== 'number' || !Number.isInteger(topK) || topK < 1 || topK > MOST_TOP_K;
};

export const withMetadata = (draft: Draft, changed: Readonly<Record<string, unknown>>): Draft => ({
  ...draft,
  metadata: { ...draft.metadata, ...changed },
});

/** Its id, path or format, whichever it is kept as. */
export const textOf = (draft: Draft, key: 'rubric_id' | 'rubric_format' | 'file_path'): string => {
  const value = draft.metadata[key];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** What is missing for the source to be one. */
export function missingIn(draft: Draft): 'collections' | 'rubric' | 'file' | undefined {
  const source = sourceOf(draft);
  if (source === 'collections' && collectionsOf(draft).length === 0) return 'collections';
  if (source === 'rubric' && textOf(draft, 'rubric_id') === '') return 'rubric';
  if (source === 'file' && textOf(draft, 'file_path') === '') return 'file';
  return undefined;
}
