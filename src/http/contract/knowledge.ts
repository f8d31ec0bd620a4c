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
  /** Text is recognised in pictures and scanned pages. */
  readonly ocr: boolean;
  /** Where its passages are: in our own database, or on the organisation's knowledge base server. */
  readonly place: 'here' | 'server';
  /** What the server calls it. */
  readonly external_id?: string;
  readonly documents: number;
  readonly passages: number;
  /** Of these documents so many are found by their words, and are to get new vectors. */
  readonly awaiting_vectors: number;
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
  /** The source that brought it and keeps it in step. */
  readonly source?: Pick<Source, 'id' | 'kind' | 'name'> | undefined;
  readonly bytes: number;
  readonly sha256?: string | undefined;
  readonly embedded_with?: string | undefined;
  /** Nothing of it is found. */
  readonly off: boolean;
  /** When it is found again by itself. */
  readonly off_until?: string | undefined;
  readonly tags: readonly string[];
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

export type SourceKind = 'moodle' | 'web' | 'git' | 'folder';
export type Schedule = 'off' | 'hourly' | 'daily' | 'weekly';

/** Where documents of a collection come from. What is in `settings` depends on its kind. */
export interface Source {
  readonly id: string;
  readonly kind: SourceKind;
  readonly name: string;
  readonly settings: SourceSettings;
  /** It is never shown. */
  readonly has_token: boolean;
  readonly schedule: Schedule;
  /** Whether it is worth looking again soon. */
  readonly state: 'idle' | 'waiting' | 'running';
  readonly last_run: SourceRun | null;
  readonly next_run_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface SourceSettings {
  /** Moodle. */
  readonly site_url?: string;
  readonly course_id?: number;
  readonly use_organization_token?: boolean;
  /** A web page or a repository. */
  readonly url?: string;
  readonly sitemap?: boolean;
  readonly branch?: string;
  readonly folder?: string;
  readonly files?: readonly string[];
  /** A folder of the server. */
  readonly path?: string;
}

export interface SourceRun {
  readonly id: string;
  readonly status: 'running' | 'done' | 'failed';
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly error?: string | undefined;
  readonly total: number;
  readonly done: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly changes: readonly { readonly name: string; readonly what: 'added' | 'changed' | 'removed' }[];
  readonly failed: readonly { readonly name: string; readonly reason: string }[];
}

export interface SourceList {
  readonly data: readonly Source[];
  /** What whoever asks may make sources of, beside what everybody may. */
  readonly offers: {
    /** The organisation's own, by its own token. */
    readonly organization_moodle: string | null;
    readonly folders: readonly string[];
  };
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
  /** Never found. */
  readonly off: boolean;
  /** First among what a question finds. */
  readonly pinned: boolean;
  /** The text is not quite what the document says. */
  readonly corrected: boolean;
  /** What the document says; for those who may edit the collection. */
  readonly original?: string;
  /** Its text was recognised in a picture, or is what a model says of one. */
  readonly recognised?: true;
  readonly described?: true;
}

/** What was decided about a passage that is no longer there. */
export interface StaleDecision {
  readonly id: number;
  readonly original: string;
  readonly page?: number | undefined;
  readonly off: boolean;
  readonly pinned: boolean;
  readonly text?: string | undefined;
  readonly updated_at: string;
}

export interface Tag {
  readonly tag: string;
  readonly documents: number;
}

/** A document, one of its pages or one of its passages. */
export interface QuestionTarget {
  readonly document_id: string;
  readonly filename: string;
  readonly page?: number | undefined;
  /** Where it stands now. */
  readonly chunk_index?: number | undefined;
  /** How the passage begins. */
  readonly excerpt?: string | undefined;
  /** `moved`: its words are gone, its page has to do. */
  readonly state: 'there' | 'moved' | 'gone';
}

export interface TestQuestion {
  readonly id: string;
  readonly question: string;
  readonly targets: readonly QuestionTarget[];
  /** In the last run; null when it was not found, absent when it was not asked. */
  readonly rank?: number | null | undefined;
  /** In the run before that. */
  readonly rank_before?: number | null | undefined;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface TestRun {
  readonly id: number;
  readonly at: string;
  readonly reason: 'request' | 'change';
  readonly top_k: number;
  readonly embeddings: string | null;
  readonly asked: number;
  readonly found: number;
  readonly share: number;
  readonly mrr: number;
  /** Beside the run before. */
  readonly newly_found: readonly AskedQuestion[];
  readonly lost: readonly AskedQuestion[];
}

export interface AskedQuestion {
  readonly id: string;
  readonly question: string;
}

export interface TestQuestions {
  readonly data: readonly TestQuestion[];
  readonly most: number;
  /** The last one; null when they were never asked. */
  readonly run: TestRun | null;
}

/** Asked, and nothing was found. */
export interface VainQuestion {
  readonly id: number;
  readonly question: string;
  readonly count: number;
  readonly last_asked_at: string;
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
    readonly recognised?: true;
    readonly described?: true;
    readonly document_id?: string;
    readonly source_url?: string;
    readonly corrected?: true;
    readonly pinned?: true;
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
