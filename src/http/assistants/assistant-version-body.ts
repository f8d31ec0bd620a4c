import { isDeepStrictEqual } from 'node:util';
import type { AssistantVersion, VersionFacts } from '../../core/assistants/history.js';
import { type JsonDiff, jsonDiff } from './json-diff.js';

/** Versions as the API shows them. */

export function showVersionFacts({ version, author, createdAt, contentHash }: VersionFacts) {
  return { version, author, created_at: createdAt, content_hash: contentHash };
}

export function showVersion(version: AssistantVersion) {
  return {
    ...showVersionFacts(version),
    ...fieldsOf(version),
    metadata: version.metadata ?? null,
    /** As it was stored, to the byte. */
    metadata_text: version.metadataText,
  };
}

/** What changed from one to the other: plain fields by name, metadata by JSON path. */
export function diffVersions(from: AssistantVersion, to: AssistantVersion) {
  const [before, after] = [fieldsOf(from), fieldsOf(to)];
  const keys = Object.keys(before) as (keyof typeof before)[];
  return {
    from: from.version,
    to: to.version,
    fields: keys
      .filter((key) => !isDeepStrictEqual(before[key], after[key]))
      .map((key) => ({ field: key, from: before[key], to: after[key] })),
    metadata: metadataDiff(from, to),
  };
}

/** Texts that are no JSON are compared as texts. */
function metadataDiff(from: AssistantVersion, to: AssistantVersion): JsonDiff {
  return from.metadata && to.metadata
    ? jsonDiff(from.metadata, to.metadata)
    : jsonDiff(from.metadataText, to.metadataText);
}

function fieldsOf(version: AssistantVersion) {
  return {
    name: version.name,
    description: version.description,
    system_prompt: version.systemPrompt,
    prompt_template: version.promptTemplate,
    RAG_collections: version.ragCollections,
    RAG_Top_k: version.ragTopK,
    published: version.published,
    publish_scope: version.publishScope,
    enabled: version.enabled,
  };
}
