import type { Page } from './page.js';

/** What the routes below `/lamb/v1/collections` answer with. */
export interface Collection {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The owner's e-mail. */
  readonly owner: string;
  readonly organization_id: number;
  readonly is_shared: boolean;
  /** Where its passages are: in our own database, or on the organisation's knowledge base server. */
  readonly place: 'here' | 'server';
  /** What the server calls it. */
  readonly external_id?: string;
  readonly documents: number;
  readonly passages: number;
  readonly may_edit: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export type DocumentStatus = 'queued' | 'processing' | 'ready' | 'failed';
export type DocumentStage =
  'waiting' | 'fetching' | 'reading' | 'splitting' | 'indexing' | 'embedding' | 'done';

export interface KnowledgeDocument {
  readonly id: string;
  readonly filename: string;
  readonly status: DocumentStatus;
  readonly stage: DocumentStage;
  /** Per cent, of everything there is to do. */
  readonly progress: number;
  readonly error?: string | undefined;
  /** Parts that could not be taken in, while the rest could. */
  readonly faults: readonly { readonly page?: number | undefined; readonly message: string }[];
  readonly format?: string | undefined;
  readonly pages?: number | undefined;
  readonly passages: number;
  readonly language?: string | undefined;
  readonly source_url?: string | undefined;
  readonly bytes: number;
  readonly sha256?: string | undefined;
  readonly embedded_with?: string | undefined;
  /** Of an upload: it was here already. */
  readonly duplicate?: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface DocumentPage extends Page<KnowledgeDocument> {
  /** Of the whole collection, whatever the list was narrowed to. */
  readonly by_status: Readonly<Record<DocumentStatus, number>>;
}

/** What became of an upload. */
export interface AddedDocuments {
  readonly documents: readonly KnowledgeDocument[];
  /** Of archives: what was not taken in, and why. */
  readonly left_out?: readonly { readonly filename: string; readonly message: string }[];
}

export interface Passage {
  readonly chunk_index: number;
  readonly page?: number | undefined;
  readonly page_end?: number | undefined;
  readonly section?: string | undefined;
  /** Where it begins and ends in the document's text. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A passage that a question has found, in the words of LAMB's knowledge base server. */
export interface Finding {
  readonly similarity: number;
  readonly data: string;
  readonly metadata: {
    readonly filename: string;
    readonly page?: number;
    readonly page_end?: number;
    readonly section?: string;
    readonly chunk_index?: number;
    readonly document_id?: string;
    readonly source_url?: string;
  };
  /** By each way of looking; absent for what another server found. */
  readonly reasons?: { readonly lexical?: Reason; readonly vector?: Reason };
}

export interface Reason {
  readonly rank: number;
  readonly similarity: number;
}

export interface Findings {
  readonly results: readonly Finding[];
  readonly count: number;
  readonly query: string;
  /** The model that looked by meaning; null when only words were looked for. */
  readonly embeddings: string | null;
  /** There were passages, and none that has to do with the question: `keep_weak` brings them. */
  readonly nothing_fits: boolean;
}
