import type { Timestamp } from '../base/ids.js';

export type DocumentStatus = 'queued' | 'processing' | 'ready' | 'failed';

/** What is being done to a document, in the order it is done. */
export type DocumentStage =
  'waiting' | 'fetching' | 'reading' | 'splitting' | 'indexing' | 'embedding' | 'done';

/** A part of a document that could not be taken in, while the rest could. Safe to show. */
export interface PartFault {
  readonly page?: number | undefined;
  readonly message: string;
  /** Which of `PART_FAULTS` that is, where it is one. */
  readonly code?: string | undefined;
  /** Names and numbers that belong into its sentence. */
  readonly values?: readonly string[];
}

export interface KnowledgeDocument {
  readonly id: string;
  readonly collectionId: string;
  readonly filename: string;
  /** Where it came from, if it was not uploaded. */
  readonly sourceUrl: string | undefined;
  /** Of the source that brought it and keeps it in step. */
  readonly sourceId: string | undefined;
  readonly bytes: number;
  /** Of its bytes; undefined until they are here. */
  readonly sha256: string | undefined;
  readonly status: DocumentStatus;
  readonly stage: DocumentStage;
  /** Per cent, of everything there is to do. */
  readonly progress: number;
  /** Why it failed, in words for its owner. */
  readonly error: string | undefined;
  /** Which of `READING_FAULTS` that is, where it is one. */
  readonly errorCode: string | undefined;
  readonly faults: readonly PartFault[];
  /** What it turned out to be, such as `pdf`. */
  readonly format: string | undefined;
  readonly pages: number | undefined;
  readonly passages: number;
  /** ISO 639-1; `und` when it could not be told. */
  readonly language: string | undefined;
  /** The model whose vectors its passages have; undefined when they have none. */
  readonly embeddedWith: string | undefined;
  /** Until then nothing of it is found; `FOR_GOOD` for one without an end. */
  readonly offUntil: Timestamp | undefined;
  readonly tags: readonly string[];
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** Later than any date that somebody may give. */
export const FOR_GOOD: Timestamp = '9999-12-31T23:59:59.999Z';

export interface NewDocument {
  /** Made by whoever stores the bytes, so that file and row agree before either is seen. */
  readonly id: string;
  readonly filename: string;
  readonly sourceUrl: string | undefined;
  readonly bytes: number;
  readonly sha256: string | undefined;
  /** Taken only while the source is still this one's to bring in step. */
  readonly source?: SourcedFrom;
}

/** What a source has brought: by what it calls it, in which version, and under whose claim. */
export interface SourcedFrom {
  readonly id: string;
  readonly key: string;
  readonly version: string | undefined;
  readonly claim: string;
}

/** `ingest`: read, cut and index it anew. `embed`: it can be found by words and lacks vectors of the present model. */
export type WorkKind = 'ingest' | 'embed';

/** A document that one process has taken on, for as long as it keeps saying so. */
export interface Work {
  readonly kind: WorkKind;
  readonly document: KnowledgeDocument;
  readonly organizationId: number;
  /** The owner of its collection. */
  readonly ownerId: number;
  /** Of its collection: text is recognised in pictures. */
  readonly ocr: boolean;
  /** How many have taken it on, this one included: more than one when others died over it. */
  readonly attempts: number;
  /** Tells this claim from a later one. */
  readonly claim: string;
}

export interface IngestedFacts {
  readonly format: string;
  readonly pages: number | undefined;
  readonly language: string;
  readonly faults: readonly PartFault[];
  readonly embeddedWith: string | undefined;
  /** Text recognition, which is off, would find more in it. */
  readonly needsOcr?: boolean;
}
