import { z } from 'zod';
import { Content } from './chat.js';
import { Moment, type Told } from './common.js';

/** What the routes below `/lamb/v1/assistants` answer with. */

export const AssistantType = z.enum(['classic', 'multi_tool', 'orchestrator']);
export type AssistantType = Told<typeof AssistantType>;

export const Avatar = z
  .union([
    z.object({ emoji: z.string(), color: z.string().describe('By its name, or #rrggbb.') }),
    z.object({ picture: z.string().describe('The id of an attachment.') }),
  ])
  .nullable();
export type Avatar = Told<typeof Avatar>;

export const Face = z
  .object({
    greeting: z.string().describe('Markdown; empty for none.'),
    starters: z.array(z.string()).describe('Questions to begin with.'),
    avatar: Avatar,
    tags: z.array(z.string()),
  })
  .describe('How an assistant presents itself.');
export type Face = Told<typeof Face>;

export const Tests = z
  .object({ version: z.number(), passed: z.boolean(), at: Moment })
  .nullable()
  .describe(
    'What the newest run of all required scenarios came to, and of which version. That they failed is for those who may edit it.',
  );
export type Tests = Told<typeof Tests>;

export const Assistant = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string(),
  owner: z.string().describe("The owner's e-mail."),
  organization_id: z.number(),
  ...Face.shape,
  may_edit: z.boolean(),
  published: z.boolean(),
  publish_scope: z.enum(['organization', 'everyone']),
  enabled: z.boolean(),
  version: z.number(),
  assistant_type: AssistantType,
  vision: z.boolean().describe('Whether it takes pictures.'),
  attachments: z.boolean().describe('Whether files may be sent along with a question.'),
  tests: Tests,
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
  name: z.string(),
  description: z.string(),
  system_prompt: z.string(),
  prompt_template: z.string(),
  RAG_collections: z.string(),
  RAG_Top_k: z.number().nullable(),
  ...Face.shape,
  published: z.boolean(),
  publish_scope: z.enum(['organization', 'everyone']),
  enabled: z.boolean(),
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

export const Share = z.object({
  email: z.string(),
  name: z.string(),
  created_at: Moment.exactOptional(),
});
export type Share = Told<typeof Share>;

export const AccessCheck = z.object({
  allowed: z.boolean(),
  rule: z.string().describe('By which rule.'),
  explanation: z.string().describe('In a sentence.'),
});
export type AccessCheck = Told<typeof AccessCheck>;

export const Conversion = z
  .object({
    before: z.record(z.string(), z.unknown()),
    after: z.record(z.string(), z.unknown()),
    changed: z.array(z.string()).describe('The keys whose values differ.'),
  })
  .describe("An assistant's metadata in the form of today.");
export type Conversion = Told<typeof Conversion>;

const Needed = z.array(z.union([z.string(), z.number()]));
export const Needs = z
  .object({ tools: Needed, collections: Needed, rubrics: Needed, files: Needed, assistants: Needed })
  .describe('What an assistant leans on: tools by type, the rest by id or path.');

export const Bundle = z
  .object({
    format: z.literal('bellwether.assistant'),
    version: z.literal(1),
    assistant: z.object({
      name: z.string(),
      description: z.string(),
      system_prompt: z.string(),
      prompt_template: z.string(),
      metadata: z.record(z.string(), z.unknown()),
      RAG_collections: z.string(),
      RAG_Top_k: z.number().nullable(),
      ...Face.shape,
    }),
    requires: Needs,
    names: z.object({ assistants: z.record(z.string(), z.string()).optional() }),
    attachments: z
      .record(z.string(), z.object({ filename: z.string(), data: z.string().describe('In Base64.') }))
      .describe('The picture of its avatar, by its id.'),
    scenarios: z
      .array(z.record(z.string(), z.unknown()))
      .exactOptional()
      .describe('What it is tried with, where there is something.'),
  })
  .describe('An assistant as one file that can travel.');
export type Bundle = Told<typeof Bundle>;

export const Imported = z.object({
  assistant: Assistant,
  missing: Needs.describe('What is not here or not theirs to use, and is switched off.'),
  missing_in_scenarios: z
    .array(z.object({ name: z.string(), path: z.string(), message: z.string() }))
    .describe('What its scenarios name and is not here, as saving them would be refused; 100 at most.'),
});
export type Imported = Told<typeof Imported>;

const PreviewMessage = z.union([
  z.object({ role: z.literal('system'), content: z.string() }),
  z.object({ role: z.literal('user'), content: Content }),
  z.object({ role: z.literal('assistant'), content: z.string() }),
]);
const Room = { chars: z.number(), tokens: z.number() };
export const Preview = z
  .object({
    messages: z.array(PreviewMessage),
    functions: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        parameters: z.record(z.string(), z.unknown()).describe('A JSON Schema.'),
      }),
    ),
    placeholders: z.array(z.object({ name: z.string(), tool: z.string(), ...Room })),
    warnings: z.array(z.string()),
    warning_details: z.array(
      z.object({
        code: z.string(),
        placeholder: z.string().exactOptional(),
        tool: z.string().exactOptional(),
        name: z.string().optional(),
        reason: z.string().exactOptional(),
        reason_code: z.string().optional(),
      }),
    ),
    parts: z.array(
      z.object({
        part: z.enum([
          ...['system_prompt', 'teaching', 'history', 'template'],
          ...['placeholder', 'user_input', 'function'],
        ] as const),
        name: z.string().exactOptional(),
        ...Room,
      }),
    ),
    total_tokens: z.number(),
  })
  .describe('What the model would read first, and what takes how much room in it.');

export const DraftedStarters = z.object({
  starters: z.array(z.string()).describe('Questions to begin with.'),
});
export type DraftedStarters = Told<typeof DraftedStarters>;

export const PromptTemplate = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string(),
  owner: z.string().describe("The owner's e-mail."),
  organization_id: z.number(),
  system_prompt: z.string(),
  prompt_template: z.string(),
  is_shared: z.boolean(),
  created_at: Moment,
  updated_at: Moment,
});
export type PromptTemplate = Told<typeof PromptTemplate>;
