import { createHash } from 'node:crypto';
import type { Assistant, PublishScope, ToolCatalogue } from '../../../src/core/assistants/assistant.js';
import type { Avatar } from '../../../src/core/assistants/face.js';
import type { AssistantVersion, VersionFacts } from '../../../src/core/assistants/history.js';
import type { AssistantChange, Timestamp } from '../../../src/core/stores.js';
import { readMetadata, writtenMetadata } from '../../metadata/canonical.js';
import { assistantSetup } from '../../metadata/setup.js';
import {
  cellsOf,
  flag,
  number,
  numberOrNull,
  plain,
  type RowOf,
  text,
  valuesIn,
} from '../../query/columns.js';
import { storable } from '../../query/values.js';

const TEXTS = {
  name: text('name'),
  description: text('description'),
  systemPrompt: text('system_prompt'),
  promptTemplate: text('prompt_template'),
};
/** Of installations whose metadata does not say it. */
const RETRIEVAL = { ragCollections: text('rag_collections'), ragTopK: numberOrNull('rag_top_k') };
/** Null for none. Older versions have none of these cells. */
const FACE = {
  greeting: {
    name: 'greeting',
    write: (greeting: string): string | null => (greeting === '' ? null : storable(greeting)),
    read: (cell: string | null | undefined): string => cell ?? '',
  },
  starters: texts('starters'),
  avatar: {
    name: 'avatar',
    write: (avatar: Avatar | null): string | null => avatar && JSON.stringify(avatar),
    read: (cell: string | null | undefined): Avatar | null => (cell ? (JSON.parse(cell) as Avatar) : null),
  },
  tags: texts('tags'),
} as const;

function texts<Name extends string>(name: Name) {
  return {
    name,
    write: (list: readonly string[]): string | null => (list.length === 0 ? null : JSON.stringify(list)),
    read: (cell: string | null | undefined): readonly string[] =>
      cell ? (JSON.parse(cell) as readonly string[]) : [],
  };
}

const STANDING = {
  published: flag('published'),
  publishScope: plain<PublishScope>()('publish_scope'),
  enabled: flag('enabled'),
};

/** What an author's change sets, beside the metadata. */
const AUTHORED = { ...TEXTS, ...RETRIEVAL, ...FACE };

/**
 * What a version keeps, in the order of its text, of which a hash is kept as well. The text of an older version does not
 * have what was added since: a column that is added here reads undefined as what holds without it.
 */
const VERSIONED = {
  ...TEXTS,
  // The very text that is stored.
  metadataText: plain<string | null>()('metadata'),
  ...RETRIEVAL,
  ...STANDING,
  ...FACE,
};

/** The owner's e-mail is joined from users. */
const COLUMNS = {
  id: number('id'),
  organizationId: number('organization_id'),
  ownerId: number('owner_id'),
  owner: text('owner'),
  ...AUTHORED,
  ...STANDING,
  version: number('version'),
  examples: number('examples'),
  servedVersion: numberOrNull('served_version'),
  createdAt: plain<Timestamp>()('created_at'),
  updatedAt: plain<Timestamp>()('updated_at'),
};

export type AssistantRow = RowOf<typeof COLUMNS> & RowOf<typeof VERSIONED>;
type VersionedRow = RowOf<typeof VERSIONED>;

/** The columns an author's change sets; those of the metadata only when it brings some. */
export function columnsOf(change: AssistantChange, catalogue: ToolCatalogue) {
  const metadata = change.metadata && writtenMetadata(change.metadata, catalogue);
  return {
    ...cellsOf(AUTHORED, change),
    ...(metadata !== undefined && {
      metadata: JSON.stringify(metadata),
      assistant_type: assistantSetup({ ...change, metadata }, catalogue).type,
    }),
  };
}

/** The columns that a version had, but for whether and where it was published. */
export function authoredColumns(version: AssistantVersion) {
  return { ...cellsOf(AUTHORED, version), metadata: version.metadataText };
}

/** Everything an author sets. */
export function versionContent(row: VersionedRow): {
  readonly content: string;
  readonly content_hash: string;
} {
  const content = JSON.stringify(cellsOf(VERSIONED, valuesIn(VERSIONED, row)));
  return { content, content_hash: createHash('sha256').update(content).digest('hex') };
}

/** What `versionContent` wrote. */
export function readVersionContent(content: string): Omit<AssistantVersion, keyof VersionFacts> {
  const kept = valuesIn(VERSIONED, JSON.parse(content) as VersionedRow);
  const { metadata, problem } = readMetadata(kept.metadataText);
  return { ...kept, metadata: problem === undefined ? metadata : undefined };
}

export function toAssistant(row: AssistantRow, catalogue: ToolCatalogue): Assistant {
  const values = valuesIn(COLUMNS, row);
  return {
    ...values,
    metadata: readMetadata(row.metadata).metadata,
    setup: assistantSetup({ ...values, metadata: row.metadata }, catalogue),
  };
}
