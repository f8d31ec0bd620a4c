import { z } from 'zod';
import { isNoDeeperThan, isRecord, MAX_DEPTH } from '../../core/base/json.js';
import { safeLabel } from '../../core/base/text.js';
import { unsupportedParameter } from '../../core/errors.js';
import { isSchema } from '../../core/json-schema.js';
import type { ToolChoice } from '../../core/connector.js';
import {
  type ChatMessage,
  hasFiles,
  type Message,
  type SentFile,
  type SentMessage,
} from '../../core/message.js';
import type { ClientResult, SentTools } from '../../core/runs/handover.js';
import { SAMPLING, type Sampling } from '../../core/runs/model-choice.js';

/**
 * What an OpenAI client sends. Each parameter is honoured, refused or told as ignored: none is dropped in silence. Keys that
 * would change the upstream are not read, so they cannot.
 */

const TextPart = z.object({ type: z.literal('text'), text: z.string() });
const ImagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.object({
    url: z.string().regex(/^(https?:\/\/|data:image\/)/i, 'must be an http(s) URL or a data:image/ URL'),
    detail: z.enum(['auto', 'low', 'high']).exactOptional(),
  }),
});
const MOST_NAME = 300;
/** By the id of an attachment, or with its bytes in Base64 or as a data URL. */
const SentFilePart = z.object({
  type: z.literal('file'),
  file: z
    .object({
      file_id: z.string().min(1).max(100).nullish(),
      file_data: z.string().nullish(),
      filename: z.string().max(MOST_NAME).nullish(),
    })
    .refine(
      ({ file_id, file_data }) => (file_id == null) !== (file_data == null),
      'must have either file_id or file_data',
    ),
});
/** What a part is read as that is none of the readable. It is described as clients send it. */
export const otherPart = (readable: Iterable<string>) =>
  z.object({ type: z.literal('other'), kind: z.string() }).meta({
    description: 'Of any other type: audio and whatever else there will be.',
    properties: { type: { type: 'string', not: { enum: [...readable] } } },
    ...{ required: ['type'], additionalProperties: true },
  });
const besides = (readable: ReadonlySet<string>) => (part: unknown) =>
  isRecord(part) && typeof part['type'] === 'string' && !readable.has(part['type'])
    ? { type: 'other', kind: part['type'] }
    : part;
const READABLE = new Set(['text', 'image_url', 'file']);
const Part = z.preprocess(
  besides(READABLE),
  z.discriminatedUnion('type', [TextPart, ImagePart, SentFilePart, otherPart(READABLE)]),
);
/** What anybody but a user says is words alone: where there was something else, a word stands in its place. */
const SPOKEN = new Set(['text', 'refusal']);
const RefusalPart = z.object({ type: z.literal('refusal'), refusal: z.string() });
const SpokenPart = z.preprocess(
  besides(SPOKEN),
  z.discriminatedUnion('type', [TextPart, RefusalPart, otherPart(SPOKEN)]),
);
const Words = z.union([
  z.string(),
  z.array(SpokenPart).transform((parts) =>
    parts
      .map((part) => {
        if (part.type === 'other') return unreadable(part.kind);
        return part.type === 'refusal' ? part.refusal : part.text;
      })
      .join('\n'),
  ),
]);

export const MOST_TOOLS = 64;
const MOST_ID = 200;

const ClientMessage = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content: Words }),
  z.object({ role: z.literal('user'), content: z.union([z.string(), z.array(Part)]) }),
  z.object({
    role: z.literal('assistant'),
    content: Words.nullish(),
    refusal: z.string().nullish(),
    tool_calls: z
      .array(z.object({ id: z.string().max(MOST_ID) }).loose())
      .max(MOST_TOOLS)
      .nullish(),
  }),
  z.object({ role: z.literal('tool'), tool_call_id: z.string().max(MOST_ID), content: Words.nullish() }),
  z.object({ role: z.literal('function') }),
]);
type ClientMessage = z.output<typeof ClientMessage>;

const SPEAKERS: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system']);

/** Words of somebody and nothing else. */
const isWordsAlone = (message: unknown) =>
  isRecord(message) &&
  typeof message['content'] === 'string' &&
  SPEAKERS.has(message['role']) &&
  Object.keys(message).length === 2;

// Most of a long history is that, and as it should be: the schema would make the same of it, at several times the cost.
const { run: check } = ClientMessage._zod;
ClientMessage._zod.run = (sent, context) => (isWordsAlone(sent.value) ? sent : check(sent, context));

type AskedMessage = Extract<ClientMessage, { role: 'user' }>;
type UserContent = AskedMessage['content'];

export const ClientFunction = z.object({
  name: z.string().regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"'),
  description: z.string().max(10_000).nullish(),
  parameters: z
    .looseObject({})
    .refine((schema) => isNoDeeperThan(schema, MAX_DEPTH), { error: 'nests too deep', abort: true })
    .refine((schema) => !('type' in schema) || schema['type'] === 'object', 'must be a schema of type object')
    .refine(isSchema, 'is no JSON Schema: look at its types, properties and required')
    .nullish(),
});
const NamedTool = z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) });

const MOST_BIASES = 1_024;

export const ChatBody = z.object({
  messages: z
    .array(ClientMessage)
    .min(1, 'must hold at least one message')
    .refine(
      (messages) => messages.some(({ role }) => role === 'user'),
      'must hold at least one user message',
    ),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  max_tokens: z.number().int().positive().nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(16)]).nullish(),
  seed: z.number().int().nullish(),
  response_format: z
    .looseObject({ type: z.string() })
    .refine((format) => isNoDeeperThan(format, MAX_DEPTH), 'nests too deep')
    .nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  logit_bias: z
    .record(z.string().max(20), z.number().min(-100).max(100))
    .refine((biases) => Object.keys(biases).length <= MOST_BIASES, `may hold ${String(MOST_BIASES)} at most`)
    .nullish(),
  reasoning_effort: z
    .string()
    .regex(/^[a-z]{1,20}$/, 'must be a word such as low')
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  tools: z
    .array(
      z.object({ type: z.literal('function', { error: 'must be "function"' }), function: ClientFunction }),
    )
    .max(MOST_TOOLS)
    .nullish(),
  tool_choice: z.union([z.enum(['none', 'auto', 'required']), NamedTool]).nullish(),
  functions: z.array(ClientFunction).max(MOST_TOOLS).nullish(),
  function_call: z.union([z.enum(['none', 'auto']), z.object({ name: z.string() })]).nullish(),
  user: z.string().max(512).nullish(),
  n: z.number().nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.number().nullish(),
  modalities: z.array(z.string()).nullish(),
  audio: z.unknown().optional(),
  conversation_id: z.string().min(1).max(100).nullish(),
  assistant_version: z.number().int().positive().max(2_147_483_647).nullish(),
});
export type ChatBody = z.output<typeof ChatBody>;

export const ChatBodyWithModel = ChatBody.extend({ model: z.string().min(1).max(300) });

export function samplingOf(body: ChatBody): Sampling {
  const wishes: Record<string, unknown> = {};
  for (const wish of SAMPLING) {
    const value = body[wish];
    if (value !== undefined && value !== null) wishes[wish] = value;
  }
  return wishes;
}

/** Tools that the client brings, and what it wants called; undefined where it says nothing of either. */
export function clientToolsOf({
  tools,
  functions,
  tool_choice,
  function_call,
}: ChatBody): SentTools | undefined {
  const given = [...(tools ?? []).map((tool) => tool.function), ...(functions ?? [])];
  const said =
    tool_choice ?? (typeof function_call === 'object' ? function_call : (function_call ?? undefined));
  if (said === 'none') return said;
  const choice = choiceOf(said);
  if (given.length === 0 && choice === undefined) return undefined;
  const specs = given.map(({ name, description, parameters }) => ({
    ...{ name, description: description ?? '', parameters: parameters ?? NO_PARAMETERS },
  }));
  return { specs, choice };
}

const NO_PARAMETERS = { type: 'object', properties: {} };

function choiceOf(said: ChatBody['tool_choice'] | { readonly name: string }): ToolChoice | undefined {
  if (said === 'required') return said;
  if (typeof said !== 'object' || said === null) return undefined;
  return { name: 'function' in said ? said.function.name : said.name };
}

/** What its tools brought, for a run that goes on: only what follows the last question counts. */
export function resultsIn(messages: readonly ClientMessage[]): readonly ClientResult[] {
  return messages
    .slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
    .flatMap((message) =>
      message.role === 'tool' ? [{ callId: message.tool_call_id, content: message.content ?? '' }] : [],
    );
}

/** What nothing here can do, and what would be missed if it were left out. */
export function refuseUnsupported({
  n,
  logprobs,
  top_logprobs,
  modalities,
  audio,
  messages,
}: ChatBody): void {
  const refuse = (param: string, why: string) =>
    unsupportedParameter(`"${param}" is not supported: ${why}`, param);
  if ((n ?? 1) > 1) throw refuse('n', 'there is one answer to a request.');
  if (logprobs) throw refuse('logprobs', 'an answer may come from several calls.');
  if ((top_logprobs ?? 0) > 0) throw refuse('top_logprobs', 'an answer may come from several calls.');
  if (modalities?.some((one) => one !== 'text')) throw refuse('modalities', 'answers are text.');
  if (audio !== undefined && audio !== null) throw refuse('audio', 'answers are text.');
  const newest = messages.findLast(({ role }) => role === 'user');
  const other = newest?.role === 'user' && otherPartIn(newest.content);
  if (other) throw unreadablePart(other.kind, 'messages');
}

export const unreadablePart = (kind: string, param: string) =>
  unsupportedParameter(
    `This assistant reads text and pictures: a part of the type "${safeLabel(kind)}" is not supported.`,
    param,
  );

const otherPartIn = (content: UserContent) =>
  typeof content === 'string' ? undefined : content.find((part) => part.type === 'other');

const KNOWN = new Set(['model', ...Object.keys(ChatBody.shape)]);
const MOST_IGNORED = 50;

/** The names of what was sent and does nothing here. */
export const ignoredIn = (sent: unknown): readonly string[] => namesBeyond(KNOWN, sent);

export function namesBeyond(known: ReadonlySet<string>, sent: unknown): readonly string[] {
  const names = Object.entries(sent as object)
    .filter(([name, value]) => !known.has(name) && value !== null && value !== undefined)
    .map(([name]) => name);
  return names.length === 0 ? names : names.slice(0, MOST_IGNORED).map(plainName);
}

/** As it may stand in a header. */
const plainName = (name: string) => name.replace(/[^\w.-]+/g, '_').slice(0, 64);

/** Calls of a client's tools and what they brought stand with the answer after them; who handed them out is looked up. */
export function chatOf(messages: readonly ClientMessage[]): SentMessage[] {
  const chat: SentMessage[] = [];
  let before: Message[] = [];
  for (const message of messages) {
    switch (message.role) {
      case 'user':
        if (before.length > 0) chat.push({ role: 'assistant', content: '', before });
        before = [];
        chat.push(readable(message));
        break;
      case 'system':
      case 'developer':
        chat.push({ role: 'system', content: message.content });
        break;
      case 'assistant': {
        const { tool_calls: calls } = message;
        const content = message.content || message.refusal;
        if (calls && calls.length > 0) {
          const toolCalls = calls.map(({ id }) => ({ id, name: '', arguments: '' }));
          before.push({ role: 'assistant', content: content ?? '', toolCalls });
        } else if (content) {
          chat.push(
            before.length > 0 ? { role: 'assistant', content, before } : { role: 'assistant', content },
          );
          before = [];
        }
        break;
      }
      case 'tool':
        before.push({ role: 'tool', toolCallId: message.tool_call_id, content: message.content ?? '' });
        break;
      default:
    }
  }
  return chat;
}

/** For what asks no model, and so has nothing read. */
export function previewedChat(messages: readonly ClientMessage[]): ChatMessage[] {
  const chat = chatOf(messages);
  if (hasFiles(chat)) throw unsupportedParameter('A preview reads no files. Leave them out.', 'messages');
  return chat as ChatMessage[];
}

/** In the place of what cannot be read in an earlier message; in the newest one it is refused. */
export const unreadable = (kind: string) =>
  `(Something was here that this assistant cannot read: ${safeLabel(kind)}.)`;

/** Words alone are passed on as they are: most of a long history need not be made anew. */
function readable(message: AskedMessage): SentMessage {
  const { role, content } = message;
  if (typeof content === 'string') return message as AskedMessage & { readonly content: string };
  return {
    role,
    content: content.map((part) => {
      if (part.type === 'other') return { type: 'text', text: unreadable(part.kind) };
      return part.type === 'file' ? sentFile(part.file) : part;
    }),
  };
}

/** The same from whichever API. */
export function sentFile({
  file_id,
  file_data,
  filename,
}: {
  readonly file_id?: string | null | undefined;
  readonly file_data?: string | null | undefined;
  readonly filename?: string | null | undefined;
}): SentFile {
  const file = file_id == null ? { file_data: file_data ?? '', filename: filename ?? '' } : { file_id };
  return { type: 'file', file };
}
