import { own, textIn, withDefaults, type JsonRecord } from './json.js';

/** The columns that came before tools, and the metadata beside them. */
export interface LegacyColumns {
  readonly ragCollections: string;
  readonly ragTopK: number | null;
}

const DEFAULT_TOP_K = 3;
const MAX_TOP_K = 20;

/** Older and other names of tools, with what the name itself says about the configuration. */
const ALIASES: ReadonlyMap<string, { readonly type: string; readonly config: JsonRecord }> = new Map([
  ['context_aware_rag', { type: 'simple_rag', config: { query_rewrite: true } }],
  ['hierarchical_rag', { type: 'simple_rag', config: { query_rewrite: true, parent_context: true } }],
  ['knowledge_store_rag', { type: 'simple_rag', config: {} }],
  ['query_rewriting_ks_rag', { type: 'simple_rag', config: { query_rewrite: true } }],
  ['library_file_rag', { type: 'single_file_rag', config: {} }],
  ['knowledge_base', { type: 'simple_rag', config: {} }],
  ['rubric', { type: 'rubric_rag', config: {} }],
  ['single_file', { type: 'single_file_rag', config: {} }],
  ['no_tool', { type: 'no_rag', config: {} }],
]);

/** What stored records rely on, also where the tool itself is not installed. */
const CLASSIC_PLACEHOLDERS: ReadonlyMap<string, string> = new Map([
  ['simple_rag', 'context'],
  ['rubric_rag', 'rubric'],
  ['single_file_rag', 'file'],
  ['no_rag', 'context'],
]);

export function classicPlaceholder(type: string): string | undefined {
  return CLASSIC_PLACEHOLDERS.get(type);
}

export function canonicalType(name: string): { readonly type: string; readonly config: JsonRecord } {
  return ALIASES.get(name) ?? { type: name, config: {} };
}

/** The one tool of a classic assistant. Its template says `{context}`, whatever the tool's own placeholder is. */
export function toolOfRagProcessor(metadata: JsonRecord, columns: LegacyColumns): JsonRecord | undefined {
  const processor = textIn(metadata, 'rag_processor');
  if (processor === undefined || isNoRag(processor)) return undefined;

  const { type, config } = canonicalType(processor);
  return {
    type,
    enabled: true,
    mode: 'placeholder',
    placeholder: 'context',
    config: { ...legacyConfig(type, metadata, columns), ...config },
  };
}

/** "no_rag", "No RAG", "no-rag". */
function isNoRag(processor: string): boolean {
  return /^no[ _-]?rag$/i.test(processor);
}

function legacyConfig(type: string, metadata: JsonRecord, columns: LegacyColumns): JsonRecord {
  switch (type) {
    case 'simple_rag':
      return { collections: collectionsOf(columns.ragCollections), top_k: topKOf(columns.ragTopK) };
    case 'rubric_rag':
      return withDefaults(
        {},
        { rubric_id: own(metadata, 'rubric_id'), format: textIn(metadata, 'rubric_format') },
      );
    case 'single_file_rag':
      return withDefaults({}, { file_path: own(metadata, 'file_path') });
    default:
      return {};
  }
}

function collectionsOf(commaJoined: string): readonly string[] {
  return commaJoined
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

/** Zero stood for "not set"; more than the tool allows would make it refuse its whole configuration. */
function topKOf(topK: number | null): number {
  return topK !== null && topK >= 1 ? Math.min(Math.trunc(topK), MAX_TOP_K) : DEFAULT_TOP_K;
}
