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

/** Each belongs to an assistant, and is not there under another one. */
export interface AnnotationStore {
  /** Undefined when the assistant has as many as it may. */
  create(
    annotation: AnnotationContent & Pick<Annotation, 'assistantId' | 'runId'>,
  ): Promise<Annotation | undefined>;
  /** The newest first. */
  list(assistantId: number, page: PageRequest): Promise<Page<Annotation>>;
  /** Those in use. */
  active(assistantId: number): Promise<readonly Pick<Annotation, 'id' | 'question' | 'answer'>[]>;
  change(
    assistantId: number,
    id: number,
    change: { readonly [Field in keyof AnnotationContent]?: AnnotationContent[Field] | undefined },
  ): Promise<Annotation | undefined>;
  delete(assistantId: number, id: number): Promise<boolean>;
}
