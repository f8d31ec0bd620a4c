import type { z } from 'zod';
import { badRequest } from './errors.js';
import type { Identity } from './identity.js';
import { fromJsonSchema, toJsonSchema } from './json-schema.js';
import type { ChatMessage } from './message.js';
import type { AnyTool, Danger } from './tool.js';

/** As much of a LangChain tool as is used: its classes, what `tool()` makes, and runnables that were made tools. */
export interface LangChainTool {
  readonly name: string;
  readonly description?: string | undefined;
  /** zod 4, zod 3 or JSON Schema. */
  readonly schema: unknown;
  invoke(input: unknown, config?: { readonly signal?: AbortSignal }): Promise<unknown>;
}

interface Said {
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly category?: string;
  readonly version?: string;
  /** Foreign code reaches where it likes, so it is `external` unless somebody who read it says otherwise. */
  readonly danger?: Danger;
  readonly timeoutMs?: number;
  readonly bound?: Readonly<Record<string, Identity>>;
  readonly touches?: AnyTool['touches'];
}

type Filling =
  | {
      readonly placeholder: string;
      readonly argsFromChat: (messages: readonly ChatMessage[]) => Readonly<Record<string, unknown>>;
    }
  | { readonly placeholder?: never; readonly argsFromChat?: never };

/** Makes one of our tools of one of LangChain's: `export default fromLangChainTool(new Calculator());` */
export function fromLangChainTool(foreign: LangChainTool, more: Said & Filling = {}): AnyTool {
  const name = more.name ?? snakeCase(foreign.name);
  const title = more.title ?? titleOf(name);
  const functionName = foreign.name.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64);
  return {
    description: foreign.description?.trim() || title,
    category: 'langchain',
    version: '1.0.0',
    danger: 'external',
    repeatable: false,
    config: fromJsonSchema({ type: 'object' }),
    args: argsOf(foreign),
    asFunction: () => ({ name: functionName }),
    touches: () => [],
    status: (_args, _config, subject) => `calling ${subject.name}`,
    ...more,
    name,
    title,
    async run(args, _config, { signal }) {
      await holdToOwnRules(foreign.schema, args);
      return { content: textOf(await foreign.invoke(args, { signal })) };
    },
  };
}

/** Every kind of schema takes one way: to JSON Schema and back, so that what has a default is not required. */
function argsOf({ schema }: LangChainTool): z.ZodObject {
  const described = toJsonSchema(schema);
  return fromJsonSchema(isOfText(schema) ? { ...described, required: ['input'] } : described).strict();
}

/** LangChain's tools of one text say that it may be left out, and then fail. */
function isOfText(schema: unknown): boolean {
  const { _def: def } = schema as { readonly _def?: { readonly typeName?: unknown } };
  if (def?.typeName !== 'ZodEffects') return false;
  return Object.keys(toJsonSchema(schema)['properties'] ?? {}).join() === 'input';
}

type OwnCheck = (args: unknown) => Promise<{
  readonly success: boolean;
  readonly error?: {
    readonly issues: readonly { readonly path: readonly unknown[]; readonly message: string }[];
  };
}>;

/** What JSON Schema could not carry over; a model is told what was wrong, as by the gate, and not that the tool failed. */
async function holdToOwnRules(schema: unknown, args: unknown): Promise<void> {
  const { safeParseAsync } = schema as { readonly safeParseAsync?: OwnCheck };
  const parsed = await safeParseAsync?.call(schema, args);
  if (parsed?.success !== false) return;
  const faults = (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw badRequest(`The arguments do not fit. ${faults.join('; ').slice(0, 500)}`);
}

/** A text, content blocks or a whole tool message; anything else as JSON. An artifact is not for the model. */
function textOf(result: unknown): string {
  if (result === undefined || result === null) return '';
  if (typeof result === 'string') return result;
  if (Array.isArray(result) && result.length > 0 && result.every(isBlock)) return textOfBlocks(result);
  if (isToolMessage(result)) {
    if (result.status === 'error') throw new Error('The tool reported an error.');
    return textOf(result.content);
  }
  return JSON.stringify(result);
}

interface Block {
  readonly type: string;
  readonly text?: unknown;
}

function isBlock(value: unknown): value is Block {
  return typeof (value as Partial<Block> | null)?.type === 'string';
}

function textOfBlocks(blocks: readonly Block[]): string {
  return blocks
    .map(({ type, text }) => (typeof text === 'string' ? text : `[${type}: not a text]`))
    .join('\n');
}

function isToolMessage(value: unknown): value is { readonly content: unknown; readonly status?: unknown } {
  return typeof value === 'object' && value !== null && 'content' in value && 'tool_call_id' in value;
}

function snakeCase(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return (/^[a-z]/.test(words) ? words : `tool_${words}`).slice(0, 64);
}

function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
