import { z } from 'zod';
import { Moment, type Told } from './schema-types.js';

/** What the routes below `/lamb/v1/assistants` answer with. */

export const AssistantType = z.enum(['classic', 'multi_tool', 'orchestrator']);
export type AssistantType = Told<typeof AssistantType>;

export const Assistant = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string(),
  owner: z.string().describe("The owner's e-mail."),
  organization_id: z.number(),
  may_edit: z.boolean(),
  published: z.boolean(),
  publish_scope: z.enum(['organization', 'everyone']),
  enabled: z.boolean(),
  version: z.number(),
  assistant_type: AssistantType,
  vision: z.boolean().describe('Whether it takes pictures.'),
  created_at: Moment,
  updated_at: Moment,
  system_prompt: z.string().exactOptional().describe('What follows is for those who may edit it.'),
  prompt_template: z.string().exactOptional(),
  metadata: z.record(z.string(), z.unknown()).exactOptional().describe('As its author has written it.'),
  RAG_collections: z.string().exactOptional(),
  RAG_Top_k: z.number().nullable().exactOptional(),
  tools: z.array(z.record(z.string(), z.unknown())).exactOptional(),
  shared_with: z.number().exactOptional().describe('With how many people, by name.'),
  deleted_at: Moment.exactOptional().describe('Of one in the bin.'),
});
export type Assistant = Told<typeof Assistant>;

export const VersionFacts = z.object({
  version: z.number(),
  author: z.string().describe("The author's e-mail."),
  created_at: Moment,
  content_hash: z.string(),
});
export type VersionFacts = Told<typeof VersionFacts>;

export const Version = VersionFacts.extend({
  metadata: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Null when what was stored is no JSON object.'),
  metadata_text: z.string().nullable().describe('As it was stored, to the byte.'),
});
export type Version = Told<typeof Version>;

export const VersionDiff = z.object({
  from: z.number(),
  to: z.number(),
  fields: z.array(
    z.object({
      field: z.string(),
      from: z.unknown(),
      to: z.unknown(),
    }),
  ),
  metadata: z
    .object({
      added: z.array(
        z.object({
          path: z.string(),
          value: z.unknown(),
        }),
      ),
      removed: z.array(
        z.object({
          path: z.string(),
          value: z.unknown(),
        }),
      ),
      changed: z.array(
        z.object({
          path: z.string(),
          from: z.unknown(),
          to: z.unknown(),
        }),
      ),
    })
    .describe('By JSON path.'),
});
export type VersionDiff = Told<typeof VersionDiff>;
