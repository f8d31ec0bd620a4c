import { z } from 'zod';

/**
 * The shapes of the Open Responses specification (2026-04-24, `schema/responses.tsp`, `items.tsp` and `events.tsp` of its
 * repository), as far as anything here sends them: what is required there is required here.
 */

const index = z.number().int().nonnegative();

const Citation = z.object({
  ...{ type: z.literal('url_citation'), url: z.string(), title: z.string() },
  ...{ start_index: index, end_index: index },
});
const TextPart = z.object({
  ...{ type: z.literal('output_text'), text: z.string() },
  ...{ annotations: z.array(Citation), logprobs: z.array(z.never()).optional() },
});
const ItemStatus = z.enum(['in_progress', 'completed', 'incomplete']);
const Message = z.object({
  ...{ type: z.literal('message'), id: z.string(), status: ItemStatus },
  ...{ role: z.literal('assistant'), content: z.array(TextPart) },
});
const FunctionCall = z.object({
  ...{ type: z.literal('function_call'), id: z.string(), call_id: z.string().min(1).max(64) },
  ...{ name: z.string(), arguments: z.string(), status: ItemStatus },
});
/** An extension has a prefix of its own, an id and a status. */
const Extension = z.looseObject({
  ...{ type: z.string().regex(/^bellwether:\w+$/), id: z.string(), status: z.string() },
});
const Item = z.union([Message, FunctionCall, Extension]);

const Tool = z.object({
  ...{ type: z.literal('function'), name: z.string(), description: z.string().nullable() },
  ...{ parameters: z.looseObject({}).nullable(), strict: z.boolean().nullable() },
});
const Mode = z.enum(['none', 'auto', 'required']);
const FunctionChoice = z.object({ type: z.literal('function'), name: z.string().optional() });
const ToolChoice = z.union([
  Mode,
  FunctionChoice,
  z.object({ type: z.literal('allowed_tools'), tools: z.array(FunctionChoice), mode: Mode }),
]);
const Format = z.union([
  z.object({ type: z.enum(['text', 'json_object']) }),
  z.object({
    ...{ type: z.literal('json_schema'), name: z.string(), description: z.string().nullable() },
    ...{ schema: z.looseObject({}).nullable(), strict: z.boolean() },
  }),
]);
const Usage = z.object({
  ...{ input_tokens: index, output_tokens: index, total_tokens: index },
  input_tokens_details: z.object({ cached_tokens: index }),
  output_tokens_details: z.object({ reasoning_tokens: index }),
});

export const ResponseResource = z.object({
  ...{ id: z.string(), object: z.literal('response'), model: z.string() },
  ...{ created_at: z.number().int(), completed_at: z.number().int().nullable() },
  status: z.enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed']),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  ...{ previous_response_id: z.string().nullable(), instructions: z.string().nullable() },
  output: z.array(Item),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  ...{ tools: z.array(Tool), tool_choice: ToolChoice, truncation: z.enum(['auto', 'disabled']) },
  ...{ parallel_tool_calls: z.boolean(), text: z.object({ format: Format }) },
  ...{ top_p: z.number(), temperature: z.number(), top_logprobs: z.number().int() },
  ...{ presence_penalty: z.number(), frequency_penalty: z.number() },
  reasoning: z.object({ effort: z.string().nullable(), summary: z.string().nullable() }).nullable(),
  usage: Usage.nullable(),
  ...{ max_output_tokens: z.number().int().nullable(), max_tool_calls: z.number().int().nullable() },
  ...{ store: z.boolean(), background: z.boolean(), service_tier: z.string() },
  metadata: z.record(z.string(), z.string()),
  ...{ safety_identifier: z.string().nullable(), prompt_cache_key: z.string().nullable() },
});
export type ResponseResource = z.output<typeof ResponseResource>;

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), sequence_number: index, ...shape });
const whole = { response: ResponseResource };
const ofItem = { output_index: index, item: Item };
const inItem = { item_id: z.string(), output_index: index };
const inPart = { ...inItem, content_index: index };
const logprobs = z.array(z.never()).optional();

export const StreamingEvent = z.discriminatedUnion('type', [
  event('response.created', whole),
  event('response.in_progress', whole),
  event('response.completed', whole),
  event('response.incomplete', whole),
  event('response.failed', whole),
  event('response.output_item.added', ofItem),
  event('response.output_item.done', ofItem),
  event('response.content_part.added', { ...inPart, part: TextPart }),
  event('response.content_part.done', { ...inPart, part: TextPart }),
  event('response.output_text.delta', { ...inPart, delta: z.string(), logprobs }),
  event('response.output_text.done', { ...inPart, text: z.string(), logprobs }),
  event('response.output_text.annotation.added', {
    ...{ ...inPart, annotation_index: index, annotation: Citation },
  }),
  event('response.function_call_arguments.delta', { ...inItem, delta: z.string() }),
  event('response.function_call_arguments.done', { ...inItem, arguments: z.string() }),
]);
export type StreamingEvent = z.output<typeof StreamingEvent>;

export const ErrorBody = z.object({
  error: z.object({
    ...{ type: z.string(), code: z.string().nullable(), message: z.string(), param: z.string().nullable() },
  }),
});

/** One stream: each event under its own name, the last one data alone. */
export function eventsIn(stream: string): readonly StreamingEvent[] {
  const frames = stream.split('\n\n').filter((frame) => frame !== '' && !frame.startsWith(':'));
  if (frames.pop() !== 'data: [DONE]') throw new Error('The stream does not end with [DONE].');
  return frames.map((frame) => {
    const [, name, data = ''] = /^event: (.+)\ndata: (.+)$/.exec(frame) ?? [];
    const parsed = StreamingEvent.parse(JSON.parse(data));
    if (parsed.type !== name) throw new Error(`An event is called ${String(name)} and is ${parsed.type}.`);
    return parsed;
  });
}
