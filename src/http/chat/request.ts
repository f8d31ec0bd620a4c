import { z } from 'zod';
import { isNoDeeperThan, MAX_DEPTH } from '../../core/base/json.js';
import type { ChatMessage } from '../../core/message.js';
import type { Sampling } from '../../core/runs/model-choice.js';

/** What an OpenAI client sends. Keys that would change the upstream are not read, so they cannot. */

const TextPart = z.object({ type: z.literal('text'), text: z.string() });
const ImagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.object({
    url: z.string().regex(/^(https?:\/\/|data:image\/)/i, 'must be an http(s) URL or a data:image/ URL'),
    detail: z.enum(['auto', 'low', 'high']).exactOptional(),
  }),
});
const Parts = z.array(z.discriminatedUnion('type', [TextPart, ImagePart]));
const Words = z.union([
  z.string(),
  z.array(TextPart).transform((parts) => parts.map((part) => part.text).join('\n')),
]);

const ClientMessage = z.discriminatedUnion('role', [
  z.object({ role: z.enum(['system', 'developer']), content: Words }),
  z.object({ role: z.literal('user'), content: z.union([z.string(), Parts]) }),
  z.object({ role: z.literal('assistant'), content: Words.nullish() }),
  z.object({ role: z.enum(['tool', 'function']) }),
]);
type ClientMessage = z.output<typeof ClientMessage>;

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
  user: z.string().max(512).nullish(),
  conversation_id: z.string().min(1).max(100).nullish(),
  assistant_version: z.number().int().positive().max(2_147_483_647).nullish(),
});
export type ChatBody = z.output<typeof ChatBody>;

export const ChatBodyWithModel = ChatBody.extend({ model: z.string().min(1).max(300) });

export function samplingOf(body: ChatBody): Sampling {
  return Object.fromEntries(
    WISHES.flatMap((wish) => {
      const value = body[wish];
      return value === undefined || value === null ? [] : [[wish, value]];
    }),
  );
}

const WISHES = [
  'temperature',
  'top_p',
  'max_tokens',
  'max_completion_tokens',
  'stop',
  'seed',
  'response_format',
  'user',
] as const;

/** Tool messages and pending calls from outside are dropped: only this service runs tools. */
export function chatOf(messages: readonly ClientMessage[]): ChatMessage[] {
  return messages.flatMap((message): ChatMessage[] => {
    switch (message.role) {
      case 'user':
        return [message];
      case 'system':
      case 'developer':
        return [{ role: 'system', content: message.content }];
      case 'assistant':
        return message.content ? [{ role: 'assistant', content: message.content }] : [];
      default:
        return [];
    }
  });
}
