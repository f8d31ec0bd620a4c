import type { Timestamp } from '../base/ids.js';
import type { RubricContent } from '../rubrics/rubric.js';
import type { AssistantContent } from './assistant.js';

export const TEMPLATE_LANGUAGES = ['en', 'es', 'ca', 'eu'] as const;
export type TemplateLanguage = (typeof TEMPLATE_LANGUAGES)[number];

/** Whether an assistant lives on its teacher's own documents, gains by them, or does without. */
export type MaterialNeed = 'needed' | 'helpful' | 'none';

/** A rubric that is made when an assistant is. */
export type EnclosedRubric = Omit<RubricContent, 'isPublic'>;

/** A complete assistant to begin with: nothing in it is anybody's. */
export interface TemplateContent {
  readonly assistant: AssistantContent;
  readonly rubric: EnclosedRubric | null;
}

/** One that an organisation keeps for its people. */
export interface KeptTemplate extends TemplateContent {
  readonly id: number;
  readonly organizationId: number;
  readonly organization: string;
  /** Null once their account is gone. */
  readonly ownerId: number | null;
  /** Whether other organisations may see it, as far as both allow that. */
  readonly isShared: boolean;
  readonly createdAt: Timestamp;
}

export interface TemplateStore {
  create(
    owner: { readonly id: number; readonly organizationId: number },
    content: TemplateContent,
  ): Promise<KeptTemplate>;
  get(id: number): Promise<KeptTemplate | undefined>;
  countOf(organizationId: number): Promise<number>;
  /** The newest first, as are those below. */
  of(organizationId: number, limit: number): Promise<readonly KeptTemplate[]>;
  /** What other organisations have marked as shared. */
  sharedWith(organizationId: number, limit: number): Promise<readonly KeptTemplate[]>;
  share(id: number, isShared: boolean): Promise<KeptTemplate | undefined>;
  delete(id: number): Promise<boolean>;
}
