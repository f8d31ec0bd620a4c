import { z } from 'zod';
import { Avatar, Bundle } from '../assistants.js';
import { Moment, type Told } from '../common.js';

/** What the routes of templates, and of what models draft, answer with. */

export const TemplateLanguage = z.enum(['en', 'es', 'ca', 'eu']);
export type TemplateLanguage = Told<typeof TemplateLanguage>;

export const TemplateFace = z
  .object({
    id: z.string(),
    origin: z
      .enum(['organization', 'catalogue', 'built_in'])
      .describe('Of the own organisation, of another that shares it, or of the service.'),
    name: z.string(),
    description: z.string(),
    avatar: Avatar,
    tags: z.array(z.string()),
    languages: z.array(TemplateLanguage).describe('Empty for one that was written in one language.'),
    material: z
      .enum(['needed', 'helpful', 'none'])
      .describe("Whether it lives on its teacher's own documents, gains by them, or does without."),
    has_rubric: z.boolean().describe('Whether a rubric is made with it.'),
    organization: z.string().nullable().describe('Whose it is; null for those of the service.'),
    is_shared: z.boolean().describe('Whether other organisations may see it.'),
    may_delete: z.boolean(),
    may_share: z.boolean(),
    created_at: Moment.nullable(),
  })
  .describe('A template as a gallery shows it.');
export type TemplateFace = Told<typeof TemplateFace>;

export const TemplateList = z.object({
  data: z.array(TemplateFace).describe('The own organisation’s first, then those of others, then the rest.'),
});
export type TemplateList = Told<typeof TemplateList>;

/** An assistant that nobody has saved: what `POST /lamb/v1/assistants` takes. */
export const AssistantDraft = Bundle.shape.assistant;
export type AssistantDraft = Told<typeof AssistantDraft>;

export const RubricDraft = z
  .object({
    title: z.string(),
    description: z.string(),
    rubric_data: z.record(z.string(), z.unknown()),
  })
  .describe('A rubric that nobody has saved: what `POST /lamb/v1/rubrics` takes.');
export type RubricDraft = Told<typeof RubricDraft>;

export const Template = TemplateFace.extend({
  assistant: AssistantDraft,
  rubric: RubricDraft.nullable().describe('To be made with it.'),
});
export type Template = Told<typeof Template>;

export const DraftedAssistant = z.object({ assistant: AssistantDraft });
export type DraftedAssistant = Told<typeof DraftedAssistant>;
