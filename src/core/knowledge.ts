import type { Page, PageRequest, Timestamp } from './page.js';
import type { Visibility } from './visibility.js';

/** A knowledge base: documents, cut into passages that can be found. */
export interface Collection {
  readonly id: string;
  readonly organizationId: number;
  readonly ownerId: number;
  /** The owner's e-mail. */
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  /** With everybody in its organisation. */
  readonly isShared: boolean;
  /** Where its passages are: in our own database, or on the organisation's knowledge base server. */
  readonly place: 'here' | 'server';
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export type CollectionContent = Pick<Collection, 'name' | 'description' | 'isShared'>;

/** What is in it, as far as it can be searched. */
export interface CollectionSize {
  readonly documents: number;
  readonly passages: number;
}

export interface CollectionStore {
  /** With an id and a place of its own where it had them elsewhere; else a new id, and here. */
  create(
    owner: { readonly id: number; readonly organizationId: number },
    content: CollectionContent,
    given?: { readonly id: string; readonly place: Collection['place'] },
  ): Promise<Collection>;
  get(id: string): Promise<Collection | undefined>;
  list(
    visibleTo: Visibility,
    filter: { readonly q?: string | undefined },
    page: PageRequest,
  ): Promise<Page<Collection>>;
  sizes(ids: readonly string[]): Promise<ReadonlyMap<string, CollectionSize>>;
  replace(id: string, content: CollectionContent): Promise<Collection | undefined>;
  /** With all its documents: from this moment on nothing of it is found. Tells which documents' files are left over. */
  delete(id: string): Promise<{ readonly documentIds: readonly string[] } | undefined>;
}

export type DocumentStatus = 'queued' | 'processing' | 'ready' | 'failed';

/** What is being done to a document, in the order it is done. */
export type DocumentStage =
  'waiting' | 'fetching' | 'reading' | 'splitting' | 'indexing' | 'embedding' | 'done';

/** A part of a document that could not be taken in, while the rest could. Safe to show. */
export interface PartFault {
  readonly page?: number | undefined;
  readonly message: string;
}

export interface KnowledgeDocument {
  readonly id: string;
  readonly collectionId: string;
  readonly filename: string;
  /** Where it came from, if it was not uploaded. */
  readonly sourceUrl: string | undefined;
  readonly bytes: number;
  /** Of its bytes; undefined until they are here. */
  readonly sha256: string | undefined;
  readonly status: DocumentStatus;
  readonly stage: DocumentStage;
  /** Per cent, of everything there is to do. */
  readonly progress: number;
  /** Why it failed, in words for its owner. */
  readonly error: string | undefined;
  readonly faults: readonly PartFault[];
  /** What it turned out to be, such as `pdf`. */
  readonly format: string | undefined;
  readonly pages: number | undefined;
  readonly passages: number;
  /** ISO 639-1; `und` when it could not be told. */
  readonly language: string | undefined;
  /** The model whose vectors its passages have; undefined when they have none. */
  readonly embeddedWith: string | undefined;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export interface NewDocument {
  /** Made by whoever stores the bytes, so that file and row agree before either is seen. */
  readonly id: string;
  readonly filename: string;
  readonly sourceUrl: string | undefined;
  readonly bytes: number;
  readonly sha256: string | undefined;
}

/** `ingest`: read, cut and index it anew. `embed`: it can be found by words and lacks vectors of the present model. */
export type WorkKind = 'ingest' | 'embed';

/** A document that one process has taken on, for as long as it keeps saying so. */
export interface Work {
  readonly kind: WorkKind;
  readonly document: KnowledgeDocument;
  readonly organizationId: number;
  /** How many have taken it on, this one included: more than one when others died over it. */
  readonly attempts: number;
  /** Tells this claim from a later one. */
  readonly claim: string;
}

/** A piece of a document under one heading; passages lie in it. */
export interface SectionDraft {
  /** The headings above it, outermost first, joined by " › "; empty when there are none. */
  readonly title: string;
  readonly page: number | undefined;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** One piece to be found. Offsets are of UTF-16 units in the text of the whole document. */
export interface PassageDraft {
  /** Place among the sections. */
  readonly section: number;
  readonly page: number | undefined;
  readonly pageEnd: number | undefined;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The words it is found by, folded and stemmed, in order and with repeats; letters and digits only. */
  readonly terms: readonly string[];
}

/** A passage as it is stored, with what a citation needs. */
export interface StoredPassage {
  readonly id: number;
  readonly collectionId: string;
  readonly documentId: string;
  readonly filename: string;
  readonly sourceUrl: string | undefined;
  readonly position: number;
  readonly sectionId: number;
  readonly section: string;
  readonly page: number | undefined;
  readonly pageEnd: number | undefined;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface StoredSection {
  readonly id: number;
  readonly title: string;
  readonly page: number | undefined;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface IngestedFacts {
  readonly format: string;
  readonly pages: number | undefined;
  readonly language: string;
  readonly faults: readonly PartFault[];
  readonly embeddedWith: string | undefined;
}

/**
 * Documents and the work on them. What is being written belongs to an edition of its own that nobody sees; `publish`
 * puts it in the place of the one before, all at once.
 */
export interface DocumentStore {
  /** The same bytes twice in one collection are one document: `isNew` is false, and one that had failed is queued again. */
  add(
    collectionId: string,
    document: NewDocument,
  ): Promise<{ readonly document: KnowledgeDocument; readonly isNew: boolean } | undefined>;
  get(collectionId: string, id: string): Promise<KnowledgeDocument | undefined>;
  list(
    collectionId: string,
    filter: { readonly q?: string | undefined; readonly status?: DocumentStatus | undefined },
    page: PageRequest,
  ): Promise<Page<KnowledgeDocument>>;
  /** Queued for `ingest`; what can be found of it stays until the new edition is there. */
  requeue(collectionId: string, id: string): Promise<KnowledgeDocument | undefined>;
  /** From this moment on nothing of it is found. */
  delete(collectionId: string, id: string): Promise<boolean>;

  /** The oldest that waits, or whose keeper has been silent for longer than its lease; undefined when there is none. */
  claim(lease: { readonly ms: number }): Promise<Work | undefined>;
  /**
   * False when the document is gone or somebody else's by now: whoever works on it stops. Refused as a conflict when the
   * bytes turn out to be those of another document of the collection.
   */
  report(
    work: Work,
    state: {
      readonly stage: DocumentStage;
      readonly progress: number;
      readonly bytes?: number;
      readonly sha256?: string;
      readonly filename?: string;
    },
    lease: { readonly ms: number },
  ): Promise<boolean>;
  /** Gives it back untouched, for the next who asks: at a stop of the service. */
  release(work: Work): Promise<void>;
  fail(work: Work, error: string, faults: readonly PartFault[]): Promise<void>;

  beginEdition(work: Work): Promise<number | undefined>;
  /**
   * In one transaction. Sections are numbered across calls. Writes nothing to an edition that can no longer be published:
   * `report` and `publish` say so.
   */
  write(
    edition: number,
    part: { readonly sections: readonly SectionDraft[]; readonly passages: readonly PassageDraft[] },
  ): Promise<void>;
  /** False when the document is gone or somebody else's by now; the edition is then never seen. */
  publish(work: Work, edition: number, facts: IngestedFacts): Promise<boolean>;
  /** Deletes what no edition shows any more, a little at a time; resolves when nothing is left to delete, or it must stop. */
  sweep(signal?: AbortSignal): Promise<void>;
  /** Those of these ids that no document has. */
  unknown(ids: readonly string[]): Promise<readonly string[]>;

  passages(collectionId: string, id: string, page: PageRequest): Promise<Page<StoredPassage>>;
  passage(collectionId: string, id: string, position: number): Promise<StoredPassage | undefined>;
  /** Those that are still there, whatever the order. */
  sections(ids: readonly number[]): Promise<readonly StoredSection[]>;
}

/** One word of a question, in all the forms it may have in the index. */
export interface TermGroup {
  readonly forms: readonly string[];
}

/** Counts of one search: over all the collections it looks in. */
export interface TermStatistics {
  readonly passages: number;
  readonly averageTerms: number;
  /** In how many passages a form occurs; absent for none. */
  readonly frequencies: ReadonlyMap<string, number>;
}

export interface LexicalCandidate {
  readonly passageId: number;
  /** As `PassageDraft.terms`, joined by blanks. */
  readonly terms: string;
}

export interface VectorCandidate {
  readonly passageId: number;
  readonly cosine: number;
}

/** Finds passages of live editions in collections that are here. What may be searched is decided before. */
export interface PassageIndex {
  statistics(collectionIds: readonly string[], forms: readonly string[]): Promise<TermStatistics>;
  /** The most promising by the database's own full-text ranking, for a finer ranking to choose from. */
  lexical(question: {
    readonly collectionIds: readonly string[];
    readonly groups: readonly TermGroup[];
    readonly statistics: TermStatistics;
    readonly limit: number;
  }): Promise<readonly LexicalCandidate[]>;
  /** The nearest among the vectors of that model. */
  nearest(question: {
    readonly collectionIds: readonly string[];
    readonly model: string;
    readonly vector: Float32Array;
    readonly limit: number;
  }): Promise<readonly VectorCandidate[]>;
  /** How near any two passages of these collections are by that model: the cosine that means nothing. */
  baseline(question: { readonly collectionIds: readonly string[]; readonly model: string }): Promise<number>;
  /** In the order of the ids; those that are no longer live are left out. */
  read(passageIds: readonly number[]): Promise<readonly StoredPassage[]>;
  /** In what languages the documents of these collections are. */
  languages(collectionIds: readonly string[]): Promise<readonly string[]>;
}

/** Vectors of passages, of length one. */
export interface VectorStore {
  /** The next passages of the edition that have no vector of this model, in order. */
  missing(
    edition: number,
    model: string,
    limit: number,
  ): Promise<readonly { readonly passageId: number; readonly text: string }[]>;
  write(
    model: string,
    vectors: readonly { readonly passageId: number; readonly vector: Float32Array }[],
  ): Promise<void>;
  /** The live edition of a document that is to be embedded anew; undefined when it has none. */
  liveEdition(work: Work): Promise<number | undefined>;
  /** The work is done: its passages have vectors of this model and of no other. False as with `publish`. */
  complete(work: Work, model: string | undefined): Promise<boolean>;
  /** Queues every ready document of the organisation whose vectors are of another model; tells how many. */
  queueOutdated(organizationId: number, model: string): Promise<number>;
}

/** The originals, as they were uploaded or fetched. */
export interface DocumentFiles {
  /** Takes the bytes in, safe on disk under a new document id once it resolves. Refuses more than `maxBytes`. */
  receive(
    bytes: AsyncIterable<Uint8Array>,
    options: { readonly maxBytes: number; readonly id?: string },
  ): Promise<{ readonly id: string; readonly bytes: number; readonly sha256: string }>;
  /** Where it lies, for those who read it in this process or on a thread of its own. */
  pathOf(id: string): string;
  delete(ids: readonly string[]): Promise<void>;
  /** Of the files that have been there for so long. */
  idsOlderThan(ms: number): Promise<readonly string[]>;
}

/** Makes vectors of texts, of length one. */
export interface Embedder {
  /** Names the space the vectors live in: provider and model, such as `openai:text-embedding-3-small`. */
  readonly model: string;
  embed(
    texts: readonly string[],
    options: { readonly kind: 'passage' | 'query'; readonly signal: AbortSignal },
  ): Promise<readonly Float32Array[]>;
}

/** Why a passage was found: its place and worth by each way of looking. */
export interface FindingReasons {
  readonly lexical?: { readonly rank: number; readonly similarity: number };
  readonly vector?: { readonly rank: number; readonly similarity: number };
}

/** What a search brings, in the words of LAMB's knowledge base server. */
export interface FoundPassage {
  /** From 0, like any other passage, to 1, as near as can be; the same scale for every way of looking. */
  readonly similarity: number;
  readonly data: string;
  readonly metadata: {
    readonly filename: string;
    readonly page?: number;
    readonly page_end?: number;
    readonly section?: string;
    readonly chunk_index?: number;
    readonly source_url?: string;
    readonly collection_id: string;
    readonly document_id?: string;
    readonly start?: number;
    readonly end?: number;
    /** The whole section it lies in, when that was asked for. */
    readonly parent_text?: string;
  };
  /** Absent for what another server found. */
  readonly reasons?: FindingReasons;
  /** A link that shows the passage, or the page it came from. */
  readonly url?: string;
}

export interface KnowledgeQuestion {
  readonly query: string;
  readonly topK: number;
  readonly threshold: number;
  readonly parentContext?: boolean;
  readonly signal: AbortSignal;
}
