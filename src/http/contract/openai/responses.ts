import { z } from 'zod';
import type { Told } from '../common.js';

/** What the routes of the Responses API answer with, as the public specification of Open Responses has it. */

const Annotation = z
  .object({
    type: z.literal('url_citation'),
    start_index: z.number(),
    end_index: z.number(),
    url: z.string(),
    title: z.string(),
  })
  .describe('A source that the text names.');

const TextPart = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(Annotation),
  logprobs: z.array(z.unknown()),
});

const State = z.enum(['in_progress', 'completed', 'incomplete']);
export const ResponseItem = z
  .discriminatedUnion('type', [
    z.object({
      id: z.string(),
      type: z.literal('message'),
      status: State,
      role: z.literal('assistant'),
      content: z.array(TextPart),
    }),
    z.object({
      id: z.string(),
      type: z.literal('function_call'),
      status: State,
      call_id: z.string(),
      name: z.string(),
      arguments: z.string().describe('JSON.'),
    }),
    z.object({
      id: z.string(),
      type: z.literal('bellwether:tool_step'),
      tool: z.string(),
      label: z.string(),
      status: z.enum(['completed', 'failed', 'denied']),
      ms: z.number(),
    }),
  ])
  .describe('A part of what was answered. Steps are told where `include` asks for `bellwether:steps`.');

export const ResponseObject = z
  .object({
    id: z.string(),
    object: z.literal('response'),
    created_at: z.number().describe('In seconds since 1970.'),
    completed_at: z.number().nullable().describe('In seconds since 1970.'),
    status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
    background: z.literal(false),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    incomplete_details: z.object({ reason: z.string() }).nullable(),
    instructions: z.string().nullable(),
    max_output_tokens: z.number().nullable(),
    max_tool_calls: z.null(),
    metadata: z.record(z.string(), z.string()),
    model: z.string(),
    output: z.array(ResponseItem),
    parallel_tool_calls: z.boolean(),
    previous_response_id: z.string().nullable(),
    reasoning: z.object({ effort: z.string().nullable(), summary: z.null() }),
    service_tier: z.string(),
    store: z.boolean(),
    presence_penalty: z.number(),
    frequency_penalty: z.number(),
    temperature: z.number(),
    text: z.object({ format: z.looseObject({ type: z.string() }) }),
    tool_choice: z.union([z.string(), z.looseObject({ type: z.string() })]),
    tools: z.array(z.looseObject({ type: z.string() })),
    top_p: z.number(),
    top_logprobs: z.literal(0),
    safety_identifier: z.null(),
    prompt_cache_key: z.null(),
    truncation: z.string(),
    usage: z
      .object({
        input_tokens: z.number(),
        input_tokens_details: z.object({ cached_tokens: z.number() }),
        output_tokens: z.number(),
        output_tokens_details: z.object({ reasoning_tokens: z.number() }),
        total_tokens: z.number(),
      })
      .nullable(),
    user: z.null(),
  })
  .describe('An answer, whole or on its way.');
export type ResponseObject = Told<typeof ResponseObject>;

export const DeletedResponse = z.object({
  id: z.string(),
  object: z.literal('response'),
  deleted: z.literal(true),
});

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({
    type: z.literal(type),
    sequence_number: z.number().describe('From 0, by one.'),
    ...shape,
  });
const whole = { response: ResponseObject };
const item = { output_index: z.number(), item: ResponseItem };
const ofItem = { item_id: z.string(), output_index: z.number() };
const ofPart = { ...ofItem, content_index: z.number() };
const logprobs = z.array(z.unknown());

export const ResponseEvent = z
  .discriminatedUnion('type', [
    event('response.created', whole),
    event('response.in_progress', whole),
    event('response.output_item.added', item),
    event('response.content_part.added', { ...ofPart, part: TextPart }),
    event('response.output_text.delta', { ...ofPart, delta: z.string(), logprobs }),
    event('response.output_text.annotation.added', {
      ...{ ...ofPart, annotation_index: z.number(), annotation: Annotation },
    }),
    event('response.output_text.done', { ...ofPart, text: z.string(), logprobs }),
    event('response.content_part.done', { ...ofPart, part: TextPart }),
    event('response.function_call_arguments.delta', { ...ofItem, delta: z.string() }),
    event('response.function_call_arguments.done', { ...ofItem, name: z.string(), arguments: z.string() }),
    event('response.output_item.done', item),
    event('response.completed', whole),
    event('response.incomplete', whole),
    event('response.failed', whole),
  ])
  .describe('In the order of the public specification; after the last comes `[DONE]`.');
