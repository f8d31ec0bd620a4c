import type { Visibility } from '../access/access.js';

/** Prompts worth using again, kept by their author and, when shared, for the whole organisation. */
export interface PromptTemplateContent {
  readonly name: string;
  readonly description: string;
  /** Empty: says nothing about the system prompt of an assistant it is applied to. */
  readonly systemPrompt: string;
  readonly promptTemplate: string;
  readonly isShared: boolean;
}

export interface PromptTemplate extends PromptTemplateContent {
  readonly id: number;
  readonly organizationId: number;
  readonly ownerId: number;
  readonly owner: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** The owner's, those shared in the organisation, and for administrators all that they administer. */
export function isTemplateVisible(template: PromptTemplate, visibleTo: Visibility): boolean {
  if (isTemplateTheirs(template, visibleTo)) return true;
  return !visibleTo.everything && template.isShared && template.organizationId === visibleTo.organizationId;
}

/** Whether they may change it: its owner, and the administrators of its organisation. */
export function isTemplateTheirs(template: PromptTemplate, visibleTo: Visibility): boolean {
  if (visibleTo.everything || template.ownerId === visibleTo.userId) return true;
  return visibleTo.wholeOrganization && template.organizationId === visibleTo.organizationId;
}
