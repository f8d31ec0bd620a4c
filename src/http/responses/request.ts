import { z } from 'zod';
import { isNoDeeperThan, isRecord, MAX_DEPTH } from '../../core/base/json.js';
import { badRequest, unsupportedParameter } from '../../core/errors.js';
import type { Message, SentMessage } from '../../core/message.js';
import type { ClientResult, SentTools } from '../../core/runs/handover.js';
import type { Sampling } from '../../core/runs/model-choice.js';
import {
  ClientFunction,
  MOST_TOOLS,
  namesBeyond,
  otherPart,
  sentFile,
  unreadable,
  unreadablePart,
} from '../chat/request.js';
import { parseWith } from '../middleware/json-body.js';

/** What a client of the Responses API sends, in the words every room shares. */

const MOST_ITEMS = 2_000;
const MOST_ID = 200;
/** Steps of the service's own tools, for clients that know them. */
export const STEPS = 'bellwether:steps';

const Text = z.looseObject({ type: z.enum(['input_text', 'output_text', 'text']), text: z.string() });
const Picture = z.looseObject({
  type: z.literal('input_image'),
  image_url: z.string(),
  detail: z.string().nullish(),
});
const Refusal = z.looseObject({ type: z.literal('refusal'), refusal: z.string() });
const File = z.looseObject({
  type: z.literal('input_file'),
  file_id: z.string().min(1).max(100).nullish(),
  file_data: z.string().nullish(),
  filename: z.string().max(300).nullish(),
});
const READABLE = new Set(['input_text', 'output_text', 'text', 'input_image', 'input_file', 'refusal']);
const Part = z.preprocess(
  (part) => {
    if (!isRecord(part) || typeof part['type'] !== 'string') return part;
    const isElsewhere =
      (part['type'] === 'input_image' && part['image_url'] == null) ||
      (part['type'] === 'input_file' && (part['file_id'] == null) === (part['file_data'] == null));
    return isElsewhere || !READABLE.has(part['type']) ? { type: 'other', kind: part['type'] } : part;
  },
  z.discriminatedUnion('type', [Text, Picture, File, Refusal, otherPart(READABLE)]),
);
const Parts = z.union([z.string(), z.array(Part)]);

const Item = z.union([
  z.looseObject({
    type: z.literal('message').optional(),
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content: Parts,
  }),
  z.looseObject({ type: z.literal('function_call'), call_id: z.string().max(MOST_ID) }),
  z.looseObject({ type: z.literal('function_call_output'), call_id: z.string().max(MOST_ID), output: Parts }),
  z.looseObject({ type: z.literal('item_reference'), id: z.string().max(MOST_ID) }),
  // What a model thought to itself is its own: nothing here reads it.
  z.looseObject({ type: z.enum(['reasoning', 'bellwether:tool_step']) }),
]);
type Item = z.output<typeof Item>;

const FunctionTools = z.object({ tools: z.array(ClientFunction) });
const NamedFunction = z.looseObject({ type: z.literal('function'), name: z.string().max(MOST_ID) });
const ToolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  NamedFunction,
  z.looseObject({
    type: z.literal('allowed_tools'),
    mode: z.enum(['none', 'auto', 'required']).default('auto'),
    tools: z.array(NamedFunction).min(1).max(MOST_TOOLS),
  }),
]);
const Format = z
  .looseObject({ type: z.string() })
  .refine((format) => isNoDeeperThan(format, MAX_DEPTH), 'nests too deep');

export const ResponseBody = z.object({
  model: z.string().min(1).max(300),
  input: z.union([z.string(), z.array(z.unknown()).max(MOST_ITEMS)]),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  max_output_tokens: z.number().int().positive().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  tools: z
    .array(z.looseObject({ type: z.string() }))
    .max(MOST_TOOLS)
    .nullish(),
  tool_choice: ToolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  reasoning: z.looseObject({ effort: z.string().max(20).nullish() }).nullish(),
  text: z.looseObject({ format: Format.nullish() }).nullish(),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  store: z.boolean().nullish(),
  previous_response_id: z.string().max(MOST_ID).nullish(),
  truncation: z.enum(['auto', 'disabled']).nullish(),
  include: z.array(z.string()).nullish(),
  user: z.string().max(512).nullish(),
  background: z.boolean().nullish(),
  modalities: z.array(z.string()).nullish(),
});
/** As it is described: items are read one by one, so that a fault names its place. */
export const DescribedBody = ResponseBody.extend({
  input: z.union([z.string(), z.array(Item).max(MOST_ITEMS)]),
});
export type ResponseBody = z.output<typeof ResponseBody>;

/** As OpenAI's own API knows them; only ours does anything here. */
const KNOWN_INCLUDES = new Set([
  ...[STEPS, 'reasoning.encrypted_content', 'message.input_image.image_url', 'message.output_text.logprobs'],
  ...['file_search_call.results', 'web_search_call.action.sources', 'web_search_call.results'],
  ...['code_interpreter_call.outputs', 'computer_call_output.output.image_url'],
]);

/** What nothing here can do, and what would be missed if it were left out. */
export function refuseUnsupported({ tools, background, modalities, include }: ResponseBody): void {
  const hosted = tools?.find(({ type }) => type !== 'function');
  if (hosted)
    throw unsupportedParameter(
      `Tools of the type "${hosted.type.slice(0, 40)}" are not supported: only functions are.`,
      'tools',
    );
  if (background) throw unsupportedParameter('"background" is not supported: ask and wait.', 'background');
  if (modalities?.some((one) => one !== 'text'))
    throw unsupportedParameter('Answers are text.', 'modalities');
  const unknown = include?.find((one) => !KNOWN_INCLUDES.has(one));
  if (unknown !== undefined) throw badRequest(`"include" knows no "${unknown.slice(0, 40)}".`, 'include');
}

const KNOWN = new Set(Object.keys(ResponseBody.shape));

/** The names of what was sent and does nothing here. */
export const unknownNames = (sent: object, { text, reasoning, include }: ResponseBody): readonly string[] => [
  ...namesBeyond(KNOWN, sent),
  ...namesBeyond(new Set(['format']), text ?? {}).map((name) => `text.${name}`),
  ...namesBeyond(new Set(['effort']), reasoning ?? {}).map((name) => `reasoning.${name}`),
  ...(include ?? []).filter((name) => name !== STEPS).map((name) => `include.${name}`),
];

export function samplingOf(body: ResponseBody): Sampling {
  const format = body.text?.format;
  return {
    ...(body.temperature == null ? {} : { temperature: body.temperature }),
    ...(body.top_p == null ? {} : { top_p: body.top_p }),
    ...(body.frequency_penalty == null ? {} : { frequency_penalty: body.frequency_penalty }),
    ...(body.presence_penalty == null ? {} : { presence_penalty: body.presence_penalty }),
    ...(body.max_output_tokens == null ? {} : { max_completion_tokens: body.max_output_tokens }),
    ...(body.parallel_tool_calls == null ? {} : { parallel_tool_calls: body.parallel_tool_calls }),
    ...(body.reasoning?.effort == null ? {} : { reasoning_effort: body.reasoning.effort }),
    ...(format == null || format.type === 'text' ? {} : { response_format: chatFormat(format) }),
  };
}

/** The Responses API has in one object what chat completions have in two. */
function chatFormat({ type, ...rest }: z.output<typeof Format>): Record<string, unknown> {
  return type === 'json_schema' ? { type, json_schema: rest } : { type };
}

/** Tools that the client brings, as far as it lets them be used now, and what it wants called. */
export function clientToolsOf({ tools: given, tool_choice: choice }: ResponseBody): SentTools | undefined {
  const { tools } = parseWith(FunctionTools, { tools: given ?? [] });
  const offered = new Set(tools.map(({ name }) => name));
  const named = typeof choice !== 'object' || choice === null ? [] : namesIn(choice);
  const isAllowed = typeof choice === 'object' && choice?.type === 'allowed_tools';
  if (isAllowed && !named.every((name) => offered.has(name)))
    throw unsupportedParameter('tool_choice names a function that is not offered.', 'tool_choice');
  const mode = isAllowed ? choice.mode : choice;
  if (mode === 'none') return mode;
  const [name] = named;
  if (tools.length === 0 && mode !== 'required' && name === undefined) return undefined;
  const specs = tools
    .filter(({ name }) => !isAllowed || named.includes(name))
    .map(({ name, description, parameters }) => ({
      ...{ name, description: description ?? '' },
      parameters: parameters ?? { type: 'object', properties: {} },
    }));
  if (mode === 'required') return { specs, choice: mode };
  return { specs, ...(name === undefined || isAllowed ? {} : { choice: { name } }) };
}

const namesIn = (choice: Exclude<z.output<typeof ToolChoice>, string>): readonly string[] =>
  choice.type === 'function' ? [choice.name] : choice.tools.map(({ name }) => name);

/** A place in the chat that stands for something kept here. */
export interface Reference {
  readonly reference: string;
}

export interface ReadInput {
  readonly chat: readonly (SentMessage | Reference)[];
  readonly results: readonly ClientResult[];
}

/** The items in order; what answers calls of ours goes on with their run. */
export function readInput({ input, instructions }: ResponseBody): ReadInput {
  const items = typeof input === 'string' ? [{ role: 'user' as const, content: input }] : input.map(itemOf);
  refuseUnreadable(items.findLast((item) => 'role' in item && item['role'] === 'user'));
  const chat: (SentMessage | Reference)[] = instructions ? [{ role: 'system', content: instructions }] : [];
  let calls: { before: Message[]; results: ClientResult[] } = { before: [], results: [] };
  for (const item of items) {
    if ('role' in item) {
      const message = messageOf(item as Extract<Item, { role: string }>);
      const before = calls.before;
      if (message.role !== 'system') calls = { before: [], results: [] };
      chat.push(...withCalls(message, before));
    } else if (item.type === 'function_call') {
      const { call_id } = item as { call_id: string };
      calls.before.push({
        role: 'assistant',
        content: '',
        toolCalls: [{ id: call_id, name: '', arguments: '' }],
      });
    } else if (item.type === 'function_call_output') {
      const { call_id, output } = item as { call_id: string; output: z.output<typeof Parts> };
      const content = wordsOf(output);
      calls.before.push({ role: 'tool', toolCallId: call_id, content });
      calls.results.push({ callId: call_id, content });
    } else if (item.type === 'item_reference') chat.push({ reference: (item as { id: string }).id });
  }
  const isAsked = calls.results.length > 0 || chat.some((one) => 'role' in one && one.role === 'user');
  if (!isAsked) throw badRequest('input must hold a message of a user, or what its tools brought.', 'input');
  return { chat, results: calls.results };
}

/** Only in the newest message: in earlier ones a word stands in its place. */
function refuseUnreadable(newest: object | undefined): void {
  const { content } = (newest ?? {}) as { content?: z.output<typeof Parts> };
  if (typeof content !== 'object') return;
  const other = content.find((part) => part.type === 'other');
  if (other) throw unreadablePart(other.kind, 'input');
}

function withCalls(message: SentMessage, before: readonly Message[]): readonly SentMessage[] {
  if (before.length === 0 || message.role === 'system') return [message];
  return message.role === 'assistant'
    ? [{ ...message, before }]
    : [{ role: 'assistant', content: '', before }, message];
}

function itemOf(value: unknown, place: number): Item {
  const parsed = Item.safeParse(value);
  if (parsed.success) return parsed.data;
  const type: unknown = (value as { type?: unknown } | null)?.type;
  const what = typeof type === 'string' ? `an item of the type "${type.slice(0, 40)}"` : 'what stands there';
  throw badRequest(
    `input.${String(place)}: ${what} cannot be read. Messages, function calls and their outputs can.`,
    'input',
  );
}

function messageOf({ role, content }: Extract<Item, { role: string }>): SentMessage {
  if (role === 'user') return { role, content: contentOf(content) };
  return { role: role === 'assistant' ? role : 'system', content: wordsOf(content) };
}

type UserContent = Extract<SentMessage, { role: 'user' }>['content'];

function contentOf(content: z.output<typeof Parts>): UserContent {
  if (typeof content === 'string') return content;
  const parts = content.map((part): Exclude<UserContent, string>[number] => {
    if (part.type === 'input_file') return sentFile(part);
    return part.type === 'input_image'
      ? { type: 'image_url', image_url: { url: pictureAt(part.image_url), ...detailOf(part.detail) } }
      : { type: 'text', text: wordsIn(part) };
  });
  return parts.every((part) => part.type === 'text') ? parts.map((part) => part.text).join('\n') : parts;
}

const DETAILS = ['auto', 'low', 'high'] as const;

function detailOf(said: string | null | undefined) {
  const detail = DETAILS.find((one) => one === said);
  return detail === undefined ? {} : { detail };
}

function pictureAt(url: string): string {
  if (/^(https?:\/\/|data:image\/)/i.test(url)) return url;
  throw badRequest('A picture must be an http(s) URL or a data:image/ URL.', 'input');
}

function wordsOf(content: z.output<typeof Parts>): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) =>
      part.type === 'input_image' || part.type === 'input_file' ? unreadable(part.type) : wordsIn(part),
    )
    .join('\n');
}

function wordsIn(part: Exclude<z.output<typeof Part>, { type: 'input_image' | 'input_file' }>): string {
  if (part.type === 'other') return unreadable(part.kind);
  return part.type === 'refusal' ? part.refusal : part.text;
}
