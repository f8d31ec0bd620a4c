/** What the service answers with, as far as the pages read it. */
export interface User {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: 'student' | 'creator' | 'org_admin' | 'system_admin';
  readonly organization_id: number;
  readonly organization_name?: string | null;
}

export interface Page<Row> {
  readonly data: readonly Row[];
  readonly next_cursor: string | null;
}

export interface Collection {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly owner: string;
  readonly is_shared: boolean;
  readonly place: 'here' | 'server';
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
  readonly progress: number;
  readonly error?: string | null;
  readonly faults: readonly { readonly page?: number | null; readonly message: string }[];
  readonly format?: string | null;
  readonly pages?: number | null;
  readonly passages: number;
  readonly language?: string | null;
  readonly source_url?: string | null;
  readonly bytes: number;
  readonly embedded_with?: string | null;
  /** It was here already. */
  readonly duplicate?: boolean;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Passage {
  readonly chunk_index: number;
  readonly page?: number | null;
  readonly page_end?: number | null;
  readonly section?: string | null;
  readonly text: string;
}

/** By one way of looking. */
export interface Reason {
  readonly rank: number;
  readonly similarity: number;
}

export interface Finding {
  readonly similarity: number;
  readonly data: string;
  readonly metadata: {
    readonly filename: string;
    readonly page?: number | null;
    readonly page_end?: number | null;
    readonly section?: string | null;
    readonly chunk_index?: number | null;
    readonly document_id?: string | null;
    readonly source_url?: string | null;
  };
  readonly reasons?: { readonly lexical?: Reason; readonly vector?: Reason };
}

export interface Findings {
  readonly results: readonly Finding[];
  readonly count: number;
  /** The model that looked by meaning; null when only words were looked for. */
  readonly embeddings: string | null;
}
