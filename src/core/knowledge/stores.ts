import type { Visibility } from '../access/access.js';
import type { Page, PageRequest, Timestamp } from '../base/ids.js';
import type { OpenBytes } from '../blobs.js';
import type { Collection, CollectionContent, CollectionSize, NewCollection } from './collection.js';
import type {
  DocumentStage,
  DocumentStatus,
  IngestedFacts,
  KnowledgeDocument,
  NewDocument,
  PartFault,
  SourcedFrom,
  Work,
} from './document.js';
import type {
  LexicalCandidate,
  PassageDecision,
  PassageDraft,
  SectionDraft,
  StoredDecision,
  StoredPassage,
  StoredSection,
  TermGroup,
  TermStatistics,
  VectorCandidate,
} from './passage.js';

export interface CollectionStore {
  /** Here, or with an external id on the organisation's server: a second one of that id is a conflict. */
  create(
    owner: { readonly id: number; readonly organizationId: number },
    content: NewCollection,
    externalId?: string,
  ): Promise<Collection>;
  get(id: string): Promise<Collection | undefined>;
  /** By what the server of this organisation calls it. */
  onServer(organizationId: number, externalId: string): Promise<Collection | undefined>;
  list(
    visibleTo: Visibility,
    filter: { readonly q?: string | undefined },
    page: PageRequest,
  ): Promise<Page<Collection>>;
  /** How many `list` would find. */
  count(visibleTo: Visibility): Promise<number>;
  sizes(ids: readonly string[]): Promise<ReadonlyMap<string, CollectionSize>>;
  replace(id: string, content: CollectionContent): Promise<Collection | undefined>;
  /** With all its documents: from this moment on nothing of it is found. Tells which documents' files are left over. */
  delete(id: string): Promise<{ readonly documentIds: readonly string[] } | undefined>;
}

export interface AddedDocument {
  readonly document: KnowledgeDocument;
  readonly isNew: boolean;
}

/** A document that has been read, as a whole. */
export interface Publication {
  readonly work: Work;
  readonly part: { readonly sections: readonly SectionDraft[]; readonly passages: readonly PassageDraft[] };
  readonly facts: IngestedFacts;
}

/**
 * Documents and the work on them. What is being written belongs to an edition of its own that nobody sees; `publish`
 * puts it in the place of the one before, all at once.
 */
export interface DocumentStore {
  /** The same bytes twice in one collection are one document: `isNew` is false, and one that had failed is queued again. */
  add(collectionId: string, document: NewDocument): Promise<AddedDocument | undefined>;
  /** In one transaction; undefined when there is no such collection here. */
  addAll(
    collectionId: string,
    documents: readonly NewDocument[],
  ): Promise<readonly AddedDocument[] | undefined>;
  get(collectionId: string, id: string): Promise<KnowledgeDocument | undefined>;
  /** Of the whole collection, however many there are. */
  countByStatus(collectionId: string): Promise<Readonly<Record<DocumentStatus, number>>>;
  list(
    collectionId: string,
    filter: { readonly q?: string | undefined; readonly status?: DocumentStatus | undefined },
    page: PageRequest,
  ): Promise<Page<KnowledgeDocument>>;
  /** Queued for `ingest`; what can be found of it stays until the new edition is there. */
  requeue(collectionId: string, id: string): Promise<KnowledgeDocument | undefined>;
  /** Queues all of which text recognition would find more; tells how many. */
  requeueScans(collectionId: string): Promise<number>;
  /**
   * Another version of what a source has brought: with `bytes` it is queued, and what can be found of it stays until that is
   * read. False when document or claim are gone; refused as a conflict when the collection has these bytes already.
   */
  renew(
    id: string,
    source: SourcedFrom,
    news?: Pick<NewDocument, 'filename' | 'sourceUrl' | 'bytes' | 'sha256'>,
  ): Promise<boolean>;
  /** From this moment on nothing of it is found. */
  delete(collectionId: string, id: string): Promise<boolean>;
  /** What it leaves out stays. `offUntil: null` has the document found again. */
  change(
    collectionId: string,
    id: string,
    change: {
      readonly offUntil?: Timestamp | null | undefined;
      readonly tags?: readonly string[] | undefined;
    },
  ): Promise<KnowledgeDocument | undefined>;
  /** Of several at once; tells how many there are. Each keeps no more than `most`, and a conflict says so. */
  changeTags(
    collectionId: string,
    ids: readonly string[],
    change: { readonly add: readonly string[]; readonly remove: readonly string[]; readonly most: number },
  ): Promise<number>;
  /** All that the documents of a collection have, and how many have each. */
  tags(collectionId: string): Promise<readonly { readonly tag: string; readonly documents: number }[]>;
  /** Whether anything of it waits to be read or embedded, or is. */
  isUnderWay(collectionId: string): Promise<boolean>;

  /** The oldest that waits, or whose keeper has been silent for longer than its lease; undefined when there is none. */
  claim(lease: { readonly ms: number }): Promise<Work | undefined>;
  /** Others of its collection that wait, the oldest first: of these endings, no longer than that, and begun by nobody yet. */
  claimMore(
    work: Work,
    most: { readonly documents: number; readonly bytes: number; readonly extensions: readonly string[] },
    lease: { readonly ms: number },
  ): Promise<readonly Work[]>;
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
  /** Gives work back for whoever asks after so long; it does not count as an attempt. */
  postpone(work: Work, pause: { readonly ms: number }): Promise<void>;
  fail(
    work: Work,
    error: string,
    faults: readonly PartFault[],
    facts?: Pick<IngestedFacts, 'needsOcr'> & { readonly errorCode?: string | undefined },
  ): Promise<void>;

  beginEdition(work: Work): Promise<number | undefined>;
  /**
   * In one transaction. Sections are numbered across calls. Writes nothing to an edition that can no longer be published:
   * `report` and `publish` say so.
   */
  write(
    edition: number,
    part: { readonly sections: readonly SectionDraft[]; readonly passages: readonly PassageDraft[] },
  ): Promise<void>;
  /**
   * `beginEdition`, `write` and `publish` of several documents in one transaction, for what is short enough to be written at
   * once. Those that are gone or somebody else's by now are left out.
   */
  publishAtOnce(publications: readonly Publication[]): Promise<void>;
  /** False when the document is gone or somebody else's by now; the edition is then never seen. */
  publish(work: Work, edition: number, facts: IngestedFacts): Promise<boolean>;
  /** Deletes what no edition shows any more, a little at a time; resolves when nothing is left to delete, or it must stop. */
  sweep(signal?: AbortSignal): Promise<void>;
  /** Those of these ids that no document has. */
  unknown(ids: readonly string[]): Promise<readonly string[]>;

  /**
   * Keeps what was decided about a passage, and about whatever else in the document has the very same text; it holds for
   * later editions as well. 'too many pinned' when the collection would have more than `mostPinned`.
   */
  decide(
    passage: StoredPassage,
    decision: PassageDecision,
    options: { readonly mostPinned: number },
  ): Promise<StoredPassage | 'too many pinned' | undefined>;
  /** Has the passages of an edition that nobody sees yet be as it was decided about their texts. */
  applyDecisions(edition: number): Promise<void>;
  /** Those that hold and those that fit nothing any more. */
  decisions(collectionId: string, id: string): Promise<readonly StoredDecision[]>;
  /** Forgets one that fits nothing any more; false when there is none. */
  forgetDecision(collectionId: string, id: string, decision: number): Promise<boolean>;
  /** Where in the document these texts stand, as they were read; those it does not have are left out. */
  positions(
    collectionId: string,
    id: string,
    originals: readonly string[],
  ): Promise<readonly { readonly original: string; readonly position: number }[]>;

  passages(collectionId: string, id: string, page: PageRequest): Promise<Page<StoredPassage>>;
  passage(collectionId: string, id: string, position: number): Promise<StoredPassage | undefined>;
  /** Those that are still there, whatever the order. */
  sections(ids: readonly number[]): Promise<readonly StoredSection[]>;
}

/** What a term looks like: how it begins, what is in it after that or how it ends, and how long it is. */
export interface TermLook {
  readonly prefix: string;
  readonly infix?: string;
  readonly suffix?: string;
  readonly shortest: number;
  readonly longest: number;
}

/** Finds passages of live editions in collections that are here. What may be searched is decided before. */
export interface PassageIndex {
  statistics(collectionIds: readonly string[], forms: readonly string[]): Promise<TermStatistics>;
  /** Terms of these collections that look like one of these, and in how many passages each occurs. */
  lookalikes(
    collectionIds: readonly string[],
    looks: readonly TermLook[],
  ): Promise<ReadonlyMap<string, number>>;
  /** The most promising by the database's own full-text ranking, for a finer ranking to choose from. */
  lexical(question: {
    readonly collectionIds: readonly string[];
    readonly groups: readonly TermGroup[];
    readonly statistics: TermStatistics;
    readonly limit: number;
    readonly tags?: readonly string[] | undefined;
  }): Promise<readonly LexicalCandidate[]>;
  /** The nearest among the vectors of that model. */
  nearest(question: {
    readonly collectionIds: readonly string[];
    readonly model: string;
    readonly vector: Float32Array;
    readonly limit: number;
    readonly tags?: readonly string[] | undefined;
  }): Promise<readonly VectorCandidate[]>;
  /** How near any two passages of these collections are by that model: the cosine that means nothing. */
  baseline(question: { readonly collectionIds: readonly string[]; readonly model: string }): Promise<number>;
  /** In the order of the ids; those that are no longer live are left out. */
  read(passageIds: readonly number[]): Promise<readonly StoredPassage[]>;
  /** In what languages the documents of these collections are. */
  languages(collectionIds: readonly string[]): Promise<readonly string[]>;
  /** In what language the document of each of these passages is, where that is known. */
  languagesOf(passageIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
}

/** Vectors of passages, of length one. */
export interface VectorStore {
  /** The next passages of the edition that have no vector of this model, in order, with the headings above them. */
  missing(
    edition: number,
    model: string,
    limit: number,
  ): Promise<readonly { readonly passageId: number; readonly text: string; readonly title: string }[]>;
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
  /** Of the documents of an organisation that can be found. */
  progress(organizationId: number, model: string | undefined): Promise<EmbeddingProgress>;
  /**
   * Has pgvector index large collections, of `worthAnIndex` passages and more. Undefined when the database has no use for it
   * or another process is at it.
   */
  keepIndexes(signal: AbortSignal, worthAnIndex?: number): Promise<VectorIndexing | undefined>;
}

export interface VectorIndexing {
  /** `absent` from the server, `refused` where this account may not make the extension, or older than `halfvec`. */
  readonly pgvector: 'used' | 'absent' | 'refused' | 'too old';
  /** How many indexes were built this time. */
  readonly built: number;
}

export interface EmbeddingProgress {
  readonly documents: number;
  /** With vectors of that model. */
  readonly embedded: number;
  /** Queued for their vectors, or just getting them. */
  readonly waiting: number;
}

/** The originals, as they were uploaded or fetched. */
export interface DocumentFiles {
  /** Takes the bytes in, stored safely under a new document id once it resolves. Refuses more than `maxBytes`. */
  receive(
    bytes: AsyncIterable<Uint8Array>,
    options: { readonly maxBytes: number; readonly id?: string },
  ): Promise<{ readonly id: string; readonly bytes: number; readonly sha256: string }>;
  /** Puts the bytes of one in the place of another's, in one moment. */
  replace(id: string, by: string): Promise<void>;
  /** Undefined when there is none: what is to be fetched from an address has no file until it was. */
  open(id: string): Promise<OpenBytes | undefined>;
  /** Lends it as a file of this machine, for those who read it by its path. */
  withFile<T>(id: string, work: (path: string) => Promise<T>): Promise<T>;
  /** Of a store that cannot be reached just now, whoever sweeps takes them away later. */
  delete(ids: readonly string[]): Promise<void>;
  /** Of the files that have been there for so long. */
  idsOlderThan(ms: number): Promise<readonly string[]>;
}
