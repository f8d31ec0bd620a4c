import type { Page, PageRequest, Timestamp } from '../base/ids.js';

/** What a test question should find: a passage by its text, a page, or anything of a document. */
export interface QuestionTarget {
  readonly documentId: string;
  readonly filename: string;
  readonly page?: number | undefined;
  /** Of the passage, as it was read: by this it is known again after the document was read anew. */
  readonly text?: string | undefined;
}

/** A question whose answer is known. It is found when one of its targets is. */
export interface TestQuestion {
  readonly id: string;
  readonly question: string;
  readonly targets: readonly QuestionTarget[];
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

export type TestQuestionContent = Pick<TestQuestion, 'question' | 'targets'>;

/** `request`: somebody wanted it. `change`: something in the collection is other than before. */
export type RunReason = 'request' | 'change';

/** What all test questions of a collection found at one time. */
export interface TestRun {
  readonly id: number;
  readonly at: Timestamp;
  readonly reason: RunReason;
  readonly topK: number;
  /** The model that looked by meaning; undefined when words alone did. */
  readonly embeddings: string | undefined;
  readonly asked: number;
  readonly found: number;
  /** The mean of one over the rank, with 0 for what was not found. */
  readonly mrr: number;
  /** By the question's id; null for what was not found. */
  readonly ranks: Readonly<Record<string, number | null>>;
}

export interface TestQuestionStore {
  /** All of a collection, oldest first: there are never many. */
  list(collectionId: string): Promise<readonly TestQuestion[]>;
  /** 'too many' when the collection has `most` already; undefined when there is no such collection. */
  add(
    collectionId: string,
    content: TestQuestionContent,
    most: number,
  ): Promise<TestQuestion | 'too many' | undefined>;
  replace(collectionId: string, id: string, content: TestQuestionContent): Promise<TestQuestion | undefined>;
  delete(collectionId: string, id: string): Promise<boolean>;
  /** Keeps the newest `most` of them. */
  addRun(collectionId: string, run: Omit<TestRun, 'id' | 'at'>, most: number): Promise<TestRun | undefined>;
  /** Newest first. */
  runs(collectionId: string, limit: number): Promise<readonly TestRun[]>;
}

/** A question for which nothing was found, whoever asked it. */
export interface VainQuestion {
  readonly id: number;
  readonly question: string;
  readonly count: number;
  readonly lastAskedAt: Timestamp;
}

export interface NewVainQuestion {
  readonly collectionId: string;
  /** Questions that differ in nothing but spelling have the same. */
  readonly normalised: string;
  readonly question: string;
  readonly count: number;
  readonly expiresAt: Timestamp;
}

export interface VainQuestionStore {
  /** Counts it with the same question asked before. Of a collection no more than `most` are kept: the oldest go. */
  add(question: NewVainQuestion, most: number): Promise<void>;
  /** Asked last first. */
  list(collectionId: string, page: PageRequest): Promise<Page<VainQuestion>>;
  delete(collectionId: string, id: number): Promise<boolean>;
  /** Takes away what is past its date; tells how many. */
  sweep(at: Timestamp): Promise<number>;
}
