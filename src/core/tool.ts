import type { z } from 'zod';
import type { Resource } from './access.js';
import type { Source } from './event.js';
import type { Identity } from './identity.js';
import type { JsonSchema } from './json-schema.js';
import type { ChatMessage } from './message.js';
import type { ToolContext, ToolSurroundings } from './run-context.js';

/** `write` changes what was there; `external` acts on a system that is not ours. Both need the owner's approval. */
export type Danger = 'read' | 'write' | 'external';

export interface ToolResult {
  readonly content: string;
  readonly sources?: readonly Source[];
}

/** A function as the model sees it. */
export interface FunctionName {
  readonly name: string;
  readonly description?: string;
}

/** One of several functions that a tool learns of when an assistant is laid out. */
export interface OfferedFunction extends FunctionName {
  /** What the model may set, as JSON Schema: the gate holds it to this. */
  readonly parameters: JsonSchema;
}

/** The thing a configuration points at, by a name that may be shown. */
export interface Subject {
  readonly name: string;
  readonly description?: string;
}

export type AnyObjectSchema = z.ZodObject;

/** One plug-in file, one definition. `run` is called by the gate and by nothing else. */
export interface Tool<
  C extends AnyObjectSchema = AnyObjectSchema,
  A extends AnyObjectSchema = AnyObjectSchema,
  B extends string = string,
> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly version: string;
  readonly danger: Danger;
  /** Whether one assistant may hold it more than once. */
  readonly repeatable: boolean;
  /** The placeholder it fills unless its entry names another; absent for tools that are only functions. */
  readonly placeholder?: string;
  /** Overrides TOOL_TIMEOUT_MS. */
  readonly timeoutMs?: number;

  /** What the assistant's author sets. */
  readonly config: C;
  /** What the model sets. Unknown keys are refused. */
  readonly args: A;
  /**
   * Arguments that are filled from the Caller at execution. The model is not told of them, and refused when it sends
   * one; who a tool acts for is thus never the model's to say.
   */
  readonly bound?: Readonly<Record<B, Identity>>;

  /** Absent for tools that only fill a placeholder. */
  asFunction?(config: z.output<C>): FunctionName;
  /** Instead of `asFunction`: functions that depend on the configuration or on another server. `ctx.functionName` tells which was called. */
  functions?(config: z.output<C>, ctx: ToolSurroundings): Promise<readonly OfferedFunction[]>;
  /** Fills the arguments without a model; absent for tools that are only functions. */
  argsFromChat?(messages: readonly ChatMessage[], config: z.output<C>): Omit<z.input<A>, B>;
  /** Names what the configuration points at; a subject that is gone takes the tool out of the offer. */
  subject?(config: z.output<C>, ctx: ToolSurroundings): Promise<Subject | undefined>;
  /** Required, so that no author can forget it. `args` is undefined when asked ahead of any call. */
  touches(args: z.output<A> | undefined, config: z.output<C>): readonly Resource[];
  /** A short line for the user: safe names only. */
  status(args: z.output<A>, config: z.output<C>, subject: Subject): string;
  run(args: z.output<A>, config: z.output<C>, ctx: ToolContext): Promise<ToolResult>;
}

/** A tool of whatever schemas, as the registry holds it. */
export type AnyTool = Tool;

export function defineTool<
  C extends AnyObjectSchema,
  A extends AnyObjectSchema,
  B extends Extract<keyof z.output<A>, string> = never,
>(tool: Tool<C, A, B>): Tool<C, A, B> {
  return tool;
}

/** The arguments as the model sees them: those that are bound to the Caller are not among them. */
export function modelArgs({ args, bound }: Pick<AnyTool, 'args' | 'bound'>): AnyObjectSchema {
  const names = Object.keys(bound ?? {});
  if (names.length === 0) return args;
  return args.omit(Object.fromEntries(names.map((name) => [name, true])) as Record<string, never>);
}

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** `user_input` belongs to the user's own words. */
export function isPlaceholderName(name: string): boolean {
  return NAME.test(name) && name !== 'user_input';
}

/** What is wrong with a definition that came from a file; empty when it may be used. */
export function faultsOfTool(candidate: unknown): string[] {
  if (typeof candidate !== 'object' || candidate === null)
    return ['its default export is not a tool definition'];
  const tool = candidate as Partial<AnyTool>;
  const faults: string[] = [];
  const text = (key: 'name' | 'title' | 'description' | 'category' | 'version') => {
    if (typeof tool[key] !== 'string' || tool[key].trim() === '') faults.push(`"${key}" must be a text`);
  };
  text('name');
  text('title');
  text('description');
  text('category');
  text('version');
  if (typeof tool.name === 'string' && !NAME.test(tool.name)) {
    faults.push('"name" must match [a-z][a-z0-9_]*, at most 64 characters');
  }
  if (tool.placeholder !== undefined && !isPlaceholderName(tool.placeholder)) {
    faults.push('"placeholder" must match [a-z][a-z0-9_]* and not be user_input');
  }
  if (!['read', 'write', 'external'].includes(String(tool.danger)))
    faults.push('"danger" must be read, write or external');
  if (typeof tool.repeatable !== 'boolean') faults.push('"repeatable" must be true or false');
  if (!isObjectSchema(tool.config)) faults.push('"config" must be a zod object');
  if (!isObjectSchema(tool.args)) faults.push('"args" must be a zod object');
  for (const method of ['touches', 'status', 'run'] as const) {
    if (typeof tool[method] !== 'function') faults.push(`"${method}" must be a function`);
  }
  for (const method of ['asFunction', 'functions', 'argsFromChat', 'subject'] as const) {
    if (!['function', 'undefined'].includes(typeof tool[method]))
      faults.push(`"${method}" must be a function`);
  }
  if (tool.timeoutMs !== undefined && !(Number.isInteger(tool.timeoutMs) && tool.timeoutMs > 0)) {
    faults.push('"timeoutMs" must be a whole number of milliseconds');
  }
  const ways = [tool.asFunction, tool.functions, tool.argsFromChat];
  if (ways.every((way) => way === undefined)) {
    faults.push('it needs "asFunction", "functions" or "argsFromChat": without any it can never run');
  }
  if (tool.asFunction !== undefined && tool.functions !== undefined) {
    faults.push('it has both "asFunction" and "functions"; one of them is meant');
  }
  for (const name of isObjectSchema(tool.args) ? unknownKeys(tool.bound, tool.args) : []) {
    faults.push(`"bound" names "${name}", which "args" does not have`);
  }
  if (tool.argsFromChat !== undefined && tool.placeholder === undefined) {
    faults.push('"argsFromChat" needs a "placeholder" to fill');
  }
  return faults;
}

function unknownKeys(bound: object | undefined, args: unknown): string[] {
  const { shape } = args as { readonly shape: object };
  return Object.keys(bound ?? {}).filter((name) => !Object.hasOwn(shape, name));
}

function isObjectSchema(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'safeParse' in schema && 'shape' in schema;
}
