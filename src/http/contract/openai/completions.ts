import { z } from 'zod';
import { Source, StepFacts } from '../chat.js';
import { ErrorBody } from '../common.js';
import { Moment, type Told } from '../common.js';

/** What the routes of OpenAI's chat protocol answer with. */

export const Model = z
  .object({
    id: z.string().describe('What to ask for as `model`: `lamb_assistant.` and its number.'),
    object: z.literal('model'),
    created: z.number().describe('In seconds since 1970.'),
    owned_by: z.string(),
    name: z.string(),
    description: z.string(),
    capabilities: z.object({ vision: z.boolean().describe('Whether it takes pictures.') }),
  })
  .describe('An assistant, as OpenAI clients list models.');
export type Model = Told<typeof Model>;

export const ModelList = z.object({ object: z.literal('list'), data: z.array(Model) });
export type ModelList = Told<typeof ModelList>;

export const CompletionUsage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
});
export type CompletionUsage = Told<typeof CompletionUsage>;

export const ClientToolCall = z
  .object({
    id: z.string().describe('To be sent back as `tool_call_id`.'),
    type: z.literal('function'),
    function: z.object({ name: z.string(), arguments: z.string().describe('JSON.') }),
  })
  .describe('What the client is to do before the run goes on.');
export type ClientToolCall = Told<typeof ClientToolCall>;

export const Capped = z
  .union([z.literal(false), z.enum(['rounds', 'time', 'budget'])])
  .describe('What made the run answer before it was done with its tools.');

export const ToolReport = z.object({
  tool: z.string(),
  ok: z.boolean(),
  ms: z.number(),
  facts: StepFacts.exactOptional(),
});

const Ignored = z.array(z.string()).exactOptional().describe('What was asked for and does nothing here.');
const FinishReason = z.enum(['stop', 'length', 'content_filter', 'tool_calls']);

export const Completion = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion'),
    created: z.number(),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.number(),
        message: z.object({
          role: z.literal('assistant'),
          content: z.string().nullable(),
          tool_calls: z.array(ClientToolCall).exactOptional(),
        }),
        finish_reason: FinishReason,
      }),
    ),
    usage: CompletionUsage,
    system_fingerprint: z.null(),
    x_bellwether: z.object({
      run_id: z.string(),
      iterations: z.number(),
      capped: Capped,
      sources: z.array(Source),
      tools: z.array(ToolReport),
      ignored: Ignored,
    }),
  })
  .describe('A whole answer.');
export type Completion = Told<typeof Completion>;

const label = z.string().describe('In English, on one line.');
const subject = z.string().optional().describe('What it is about, by its name.');
const ofCall = { label, subject, iteration: z.number(), call_id: z.string(), tool: z.string() };
const ofPlaceholder = { label, subject, tool: z.string(), placeholder: z.string() };
const ofAssistant = { label, subject, call_id: z.string(), assistant_id: z.number() };
const ended = { ms: z.number(), facts: StepFacts.exactOptional() };

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ v: z.literal(1), seq: z.number().describe('From 1, by one.'), type: z.literal(type), ...shape });

export const Status = z
  .discriminatedUnion('type', [
    event('run.started', { run_id: z.string() }),
    event('placeholder.started', ofPlaceholder),
    event('placeholder.completed', { ...ofPlaceholder, ...ended }),
    event('placeholder.failed', { ...ofPlaceholder, ...ended }),
    event('prompt.composed', { label, merged: z.number().exactOptional() }),
    event('model.started', { iteration: z.number(), label: label.exactOptional() }),
    event('approval.required', { ...ofCall, expires_at: Moment }),
    event('tool.started', ofCall),
    event('tool.progress', { ...ofCall, percent: z.number().exactOptional(), doing: z.string().optional() }),
    event('tool.completed', { ...ofCall, ...ended }),
    event('tool.failed', { ...ofCall, ...ended }),
    event('tool.denied', { ...ofCall, ...ended }),
    event('assistant.started', ofAssistant),
    event('assistant.completed', { ...ofAssistant, ms: z.number() }),
    event('heartbeat', {}),
    event('run.completed', {
      iterations: z.number(),
      capped: Capped,
      sources: z.array(Source),
      ignored: Ignored,
      follow_ups: z
        .literal(true)
        .exactOptional()
        .describe('What to ask next can be asked for: `POST /lamb/v1/runs/:id/follow-ups`.'),
    }),
  ])
  .describe('What the run is at. Clients that do not know it pass over it.');
export type Status = Told<typeof Status>;

export const CompletionChunk = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion.chunk'),
    created: z.number(),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.number(),
        delta: z.object({
          role: z.literal('assistant').exactOptional(),
          content: z.string().exactOptional(),
          reasoning_content: z
            .string()
            .exactOptional()
            .describe('With `X-Status: reasoning`: a step in words.'),
          tool_calls: z.array(ClientToolCall.extend({ index: z.number() })).exactOptional(),
        }),
        finish_reason: FinishReason.nullable(),
      }),
    ),
    usage: CompletionUsage.exactOptional().describe('In the last one, where `include_usage` asks for it.'),
    x_bellwether: Status.exactOptional(),
    event: z
      .object({
        type: z.literal('status'),
        data: z.object({ description: z.string(), done: z.boolean() }),
      })
      .exactOptional()
      .describe('The same step as Open WebUI shows it.'),
  })
  .describe('A part of an answer.');

export const CompletionFrame = z
  .union([CompletionChunk, ErrorBody])
  .describe('A part of an answer; the last may be an error. After a whole answer comes `[DONE]`.');

export const Embeddings = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: z.int(),
      embedding: z.union([z.array(z.number()), z.string()]).describe('Numbers, or these in base64.'),
    }),
  ),
  model: z.string(),
  usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
});
export type Embeddings = Told<typeof Embeddings>;
