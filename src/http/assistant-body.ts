import { z } from 'zod';
import type { Verdict } from '../core/access.js';
import type { Assistant } from '../core/assistant.js';
import { isNoDeeperThan, MAX_DEPTH } from '../core/strict-json.js';
import type { AssistantContent } from '../core/stores.js';

/** An object, or the text of one; how it is stored, whatever keys it has. */
const Metadata = z
  .union([
    z.record(z.string(), z.unknown()),
    z.string().transform((text, ctx): Record<string, unknown> => {
      const parsed = objectIn(text);
      if (!parsed) ctx.addIssue({ code: 'custom', message: 'must be an object, or the JSON text of one' });
      return parsed ?? {};
    }),
  ])
  .refine(
    (value) => isNoDeeperThan(value, MAX_DEPTH),
    `must not nest deeper than ${String(MAX_DEPTH)} levels`,
  );

const LONGEST_PROMPT = 500_000;

export const NewAssistant = z.strictObject({
  name: z.string().trim().min(1, 'must not be empty').max(200),
  description: z.string().max(10_000).default(''),
  system_prompt: z.string().max(LONGEST_PROMPT).default(''),
  prompt_template: z.string().max(LONGEST_PROMPT).default(''),
  metadata: Metadata.default({}),
  RAG_collections: z.string().max(10_000).default(''),
  RAG_Top_k: z.number().int().nullable().default(null),
});

export const ChangedAssistant = NewAssistant.extend({
  version: z.number({ error: 'send the version you read, so that no change of somebody else is lost' }).int(),
});

export function contentOf(body: z.output<typeof NewAssistant>): AssistantContent {
  return {
    name: body.name,
    description: body.description,
    systemPrompt: body.system_prompt,
    promptTemplate: body.prompt_template,
    metadata: body.metadata,
    ragCollections: body.RAG_collections,
    ragTopK: body.RAG_Top_k,
  };
}

/** The record as the API shows it. How it is made is for those who may change it; the rest may only chat. */
export function showAssistant(assistant: Assistant, { allowed: mayEdit }: Verdict) {
  return {
    id: assistant.id,
    name: assistant.name,
    description: assistant.description,
    owner: assistant.owner,
    organization_id: assistant.organizationId,
    ...(mayEdit ? howItIsMade(assistant) : {}),
    published: assistant.published,
    publish_scope: assistant.publishScope,
    enabled: assistant.enabled,
    version: assistant.version,
    assistant_type: assistant.setup.type,
    created_at: assistant.createdAt,
    updated_at: assistant.updatedAt,
  };
}

function howItIsMade(assistant: Assistant) {
  return {
    system_prompt: assistant.systemPrompt,
    prompt_template: assistant.promptTemplate,
    metadata: assistant.metadata,
    RAG_collections: assistant.ragCollections,
    RAG_Top_k: assistant.ragTopK,
  };
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
