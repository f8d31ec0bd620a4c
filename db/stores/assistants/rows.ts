import { createHash } from 'node:crypto';
import type { Assistant, PublishScope, ToolCatalogue } from '../../../src/core/assistants/assistant.js';
import type { AssistantChange, Timestamp } from '../../../src/core/stores.js';
import { readMetadata, writtenMetadata } from '../../metadata/canonical.js';
import { assistantSetup } from '../../metadata/setup.js';
import { storable } from '../../query/values.js';

export interface AssistantRow {
  readonly id: number;
  readonly organization_id: number;
  readonly owner_id: number;
  readonly name: string;
  readonly description: string;
  readonly system_prompt: string;
  readonly prompt_template: string;
  readonly metadata: string | null;
  readonly rag_collections: string;
  readonly rag_top_k: number | null;
  readonly published: boolean | number;
  readonly publish_scope: PublishScope;
  readonly enabled: boolean | number;
  readonly version: number;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
  /** The owner's e-mail, joined from users. */
  readonly owner: string;
}

/** The columns an author's change sets; those of the metadata only when it brings some. */
export function columnsOf(change: AssistantChange, catalogue: ToolCatalogue) {
  const metadata = change.metadata && writtenMetadata(change.metadata, catalogue);
  return {
    name: storable(change.name),
    description: storable(change.description),
    system_prompt: storable(change.systemPrompt),
    prompt_template: storable(change.promptTemplate),
    rag_collections: storable(change.ragCollections),
    rag_top_k: change.ragTopK,
    ...(metadata !== undefined && {
      metadata: JSON.stringify(metadata),
      assistant_type: assistantSetup({ ...change, metadata }, catalogue).type,
    }),
  };
}

/** Everything an author sets, the metadata as the very text that is stored. */
export function versionContent(row: AssistantRow): {
  readonly content: string;
  readonly content_hash: string;
} {
  const content = JSON.stringify({
    name: row.name,
    description: row.description,
    system_prompt: row.system_prompt,
    prompt_template: row.prompt_template,
    metadata: row.metadata,
    rag_collections: row.rag_collections,
    rag_top_k: row.rag_top_k,
    published: Boolean(row.published),
    publish_scope: row.publish_scope,
    enabled: Boolean(row.enabled),
  });
  return { content, content_hash: createHash('sha256').update(content).digest('hex') };
}

export function toAssistant(row: AssistantRow, catalogue: ToolCatalogue): Assistant {
  const stored = { metadata: row.metadata, ragCollections: row.rag_collections, ragTopK: row.rag_top_k };
  return {
    id: row.id,
    organizationId: row.organization_id,
    ownerId: row.owner_id,
    owner: row.owner,
    name: row.name,
    description: row.description,
    systemPrompt: row.system_prompt,
    promptTemplate: row.prompt_template,
    metadata: readMetadata(row.metadata).metadata,
    ragCollections: row.rag_collections,
    ragTopK: row.rag_top_k,
    published: Boolean(row.published),
    publishScope: row.publish_scope,
    enabled: Boolean(row.enabled),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    setup: assistantSetup(stored, catalogue),
  };
}
