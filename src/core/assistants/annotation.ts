import type { Assistant } from './assistant.js';
import type { Page, PageRequest, Timestamp } from '../base/ids.js';

/** What a teacher wants answered how: an example for the assistant, once it is active. */

export const ANNOTATION_STATES = ['draft', 'active'] as const;
export type AnnotationStatus = (typeof ANNOTATION_STATES)[number];

export interface AnnotationContent {
  readonly question: string;
  readonly answer: string;
  readonly status: AnnotationStatus;
}

export interface Annotation extends AnnotationContent {
  readonly id: number;
  readonly assistantId: number;
  /** The run whose answer it corrects, if it does. */
  readonly runId: string | null;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** Of one assistant: as many as can be compared with every question. */
export const MOST_ANNOTATIONS = 200;

/** An answer in use, as it was at the time. */
export type Example = Pick<Annotation, 'id' | 'question' | 'answer'>;

/**
 * What the teacher has answered to something like a question, in words for the model. Undefined for an assistant without
 * examples, which is told from the assistant alone; and for a question that none of them is like.
 */
export type ExamplesFor = (
  assistant: Assistant,
) => ((question: string) => Promise<string | undefined>) | undefined;

/** Each belongs to an assistant, and is not there under another one. */
export interface AnnotationStore {
  /** Undefined when the assistant has as many as it may. */
  create(
    annotation: AnnotationContent & Pick<Annotation, 'assistantId' | 'runId'>,
  ): Promise<Annotation | undefined>;
  /** The newest first. */
  list(assistantId: number, page: PageRequest): Promise<Page<Annotation>>;
  /** Those in use, the newest first. */
  active(assistantId: number): Promise<readonly Example[]>;
  /** Those that a content has passed with, in the same order; without what was deleted since. */
  passed(assistantId: number, contentHash: string): Promise<readonly Example[]>;
  /** A content has passed with these, instead of whatever it had passed with before. */
  keepPassed(assistantId: number, contentHash: string, examples: readonly Example[]): Promise<void>;
  change(
    assistantId: number,
    id: number,
    change: { readonly [Field in keyof AnnotationContent]?: AnnotationContent[Field] | undefined },
  ): Promise<Annotation | undefined>;
  delete(assistantId: number, id: number): Promise<boolean>;
}
