import type { Knex } from 'knex';
import type {
  DocumentStage,
  DocumentStatus,
  KnowledgeDocument,
  PartFault,
  WorkKind,
} from '../../src/core/knowledge/document.js';
import type { ReadingFault } from '../../src/core/knowledge/reading-faults.js';
import type { Timestamp } from '../../src/core/stores.js';
import { orConflict } from '../query/refusals.js';
import { now, storable } from '../query/values.js';

export interface DocumentRow {
  readonly seq: number;
  readonly id: string;
  readonly filename: string;
  readonly source_url: string | null;
  readonly source_id: string | null;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly status: DocumentStatus;
  readonly stage: DocumentStage;
  readonly progress: number;
  readonly error: string | null;
  readonly error_code: string | null;
  /** JSON. */
  readonly faults: string;
  readonly format: string | null;
  readonly pages: number | null;
  readonly passages: number;
  readonly language: string | null;
  readonly embedded_with: string | null;
  readonly off_until: Timestamp | null;
  readonly work: WorkKind | null;
  readonly claim: string | null;
  readonly attempts: number;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

/** Columns of a document that waits, as if nobody had ever taken it on. Whoever works on it has lost it. */
export const waitingFor = (work: WorkKind) => {
  const at = now();
  return { work, queued_at: at, claim: null, lease_until: null, attempts: 0, updated_at: at };
};

/** Columns of a document that nothing is to be done to. */
export const nothingToDo = () => ({
  work: null,
  claim: null,
  lease_until: null,
  attempts: 0,
  updated_at: now(),
});

/** How a document looks to its owner while it waits to be read. */
export const UNREAD = {
  status: 'queued',
  stage: 'waiting',
  progress: 0,
  error: null,
  error_code: null,
  faults: '[]',
} as const;

/** How a document looks to its owner when it can be found and nothing is being done to it. */
export const READ = { status: 'ready', stage: 'done', progress: 100 } as const;

/** The documents of a collection, by the id that others know it by. */
export function documentsIn(db: Knex, collectionId: string): Knex.QueryBuilder {
  return db('documents').where(
    'collection_seq',
    db('collections').select('seq').where('id', storable(collectionId)),
  );
}

export function faultsToColumn(faults: readonly PartFault[]): string {
  return storable(JSON.stringify(faults));
}

export function toDocument(
  row: DocumentRow,
  collectionId: string,
  tags: readonly string[] = [],
): KnowledgeDocument {
  return {
    id: row.id,
    collectionId,
    filename: row.filename,
    sourceUrl: row.source_url ?? undefined,
    sourceId: row.source_id ?? undefined,
    bytes: row.bytes,
    sha256: row.sha256 ?? undefined,
    status: row.status,
    stage: row.stage,
    progress: row.progress,
    error: row.error ?? undefined,
    errorCode: row.error_code ?? undefined,
    faults: JSON.parse(row.faults) as PartFault[],
    format: row.format ?? undefined,
    pages: row.pages ?? undefined,
    passages: row.passages,
    language: row.language ?? undefined,
    embeddedWith: row.embedded_with ?? undefined,
    offUntil: row.off_until ?? undefined,
    tags,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** By the bytes of its file: one of them is found, and no other. */
export const orSameDocument = orConflict(
  'The same document is in this knowledge base already.',
  'same_document' satisfies ReadingFault,
);
