import type { z } from 'zod';
import type { Resource } from './access/access.js';
import type { JsonRecord } from './base/json.js';
import { memoizeByObject } from './base/memo.js';
import type { Identity } from './identity.js';
import type { JsonSchema } from './json-schema.js';
import type { ChatMessage } from './message.js';
import type { NumberedSource, Source, ToolFacts } from './runs/event.js';
import type { ToolContext, ToolServices } from './runs/run-context.js';

/** `write` changes what was there; `external` acts on a system that is not ours. Both need the owner's approval. */
export type Danger = 'read' | 'write' | 'external';

export interface ToolResult {
  readonly content: string;
  readonly sources?: readonly Source[];
  /** Sources that `content` cites by numbers of its own, like [1]: the run puts its numbers in their place. */
  readonly numbered?: readonly NumberedSource[];
  /** Texts to be cited, in order: the run puts each after its number, below `content`. */
  readonly passages?: readonly CitablePassage[];
  /** The same as `content`, for a program that asked for it: JSON, and of a form that both agree on. No model reads it. */
  readonly data?: JsonRecord;
  /** What it did, for the trace and for whoever reads the answer: names and numbers, never what it found. */
  readonly facts?: ToolFacts;
}

/** A text and where it comes from. Two of the same source have the same number. */
export interface CitablePassage {
  readonly text: string;
  readonly source: Source;
}

/** A function as the model sees it. */
export interface FunctionName {
  readonly name: string;
  readonly description?: string;
}

/** One of several functions that a tool learns of when an assistant is laid out. */
export interface OfferedFunction extends FunctionName {
  /** What tells it from the others of its tool where people read of it; made safe before it is shown. */
  readonly label?: string;
  /** What the model may set, as JSON Schema: the gate holds it to this. */
  readonly parameters: JsonSchema;
}

/** The thing a configuration points at, by a name that may be shown. */
export interface Subject {
  readonly name: string;
  readonly description?: string;
}

export type AnyObjectSchema = z.ZodObject;

export interface ToolPreset<C extends AnyObjectSchema = AnyObjectSchema> {
  readonly name: string;
  /** What it is for, for whoever has no words of their own for its name. */
  readonly title: string;
  readonly config: Partial<z.input<C>>;
}

/** What every tool has, however it comes to be called. */
interface ToolBody<C extends AnyObjectSchema, A extends AnyObjectSchema, B extends string> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly version: string;
  readonly danger: Danger;
  /** Whether one assistant may hold it more than once. */
  readonly repeatable: boolean;
  /** Overrides TOOL_TIMEOUT_MS. */
  readonly timeoutMs?: number;
  /** Tools by name without which it is of little use: an assistant that lacks one is warned of, not refused. */
  readonly needs?: readonly string[];
  /** Tools by name that go well with it. */
  readonly recommendedWith?: readonly string[];
  /** Ready-made settings to begin with; what its author must choose is left out. */
  readonly presets?: readonly ToolPreset<C>[];

  /** What the assistant's author sets. */
  readonly config: C;
  /** What the model sets. Unknown keys are refused. */
  readonly args: A;
  /** The form of what it brings as `data`, where it always does: told to programs that call it by itself. */
  readonly output?: AnyObjectSchema;
  /**
   * Arguments that are filled from the Caller at execution. The model is not told of them, and refused when it sends
   * one; who a tool acts for is thus never the model's to say.
   */
  readonly bound?: Readonly<Record<B, Identity>>;

  /** Names what the configuration points at; a subject that is gone takes the tool out of the offer. */
  subject?(config: z.output<C>, ctx: ToolServices): Promise<Subject | undefined>;
  /** Required, so that no author can forget it. `args` is undefined when asked ahead of any call. */
  touches(args: z.output<A> | undefined, config: z.output<C>): readonly Resource[];
  /**
   * For a tool that can do without some of what it touches: its configuration without these. The gate then leaves out
   * what may not be used and hands it the rest. Absent: all of it, or the call is refused.
   */
  without?(config: z.output<C>, refused: readonly Resource[]): z.output<C>;
  /** What a call is about where its arguments say so and not its configuration: a safe name, such as a path. */
  subjectOf?(args: z.output<A>, config: z.output<C>): string;
  /** A short line for the user: safe names only. */
  status(args: z.output<A>, config: z.output<C>, subject: Subject): string;
  run(args: z.output<A>, config: z.output<C>, ctx: ToolContext): Promise<ToolResult>;
}

/** One plug-in file, one definition. `run` is called by the gate and by nothing else. */
export interface Tool<
  C extends AnyObjectSchema = AnyObjectSchema,
  A extends AnyObjectSchema = AnyObjectSchema,
  B extends string = string,
> extends ToolBody<C, A, B> {
  /** Absent for tools that only fill a placeholder. */
  asFunction?(config: z.output<C>): FunctionName;
  /** Instead of `asFunction`: functions that depend on the configuration or on another server. `ctx.functionName` tells which was called. */
  functions?(config: z.output<C>, ctx: ToolServices): Promise<readonly OfferedFunction[]>;
  /** The placeholder it fills unless its entry names another; absent for tools that are only functions. */
  readonly placeholder?: string;
  /** Fills the arguments without a model; absent for tools that are only functions. */
  argsFromChat?(messages: readonly ChatMessage[], config: z.output<C>): Omit<z.input<A>, B>;
  /** What a configuration lacks for filling a placeholder although it would do for a function: by setting, in words. */
  lacksAsPlaceholder?(config: z.output<C>): Readonly<Record<string, string>>;
}

/** A tool of whatever schemas, as the registry holds it. */
export type AnyTool = Tool;

interface OneFunction<C extends AnyObjectSchema> {
  asFunction(config: z.output<C>): FunctionName;
  readonly functions?: never;
}

interface SeveralFunctions<C extends AnyObjectSchema> {
  functions(config: z.output<C>, ctx: ToolServices): Promise<readonly OfferedFunction[]>;
  readonly asFunction?: never;
  /** Only what stands in `args` can be bound. */
  readonly bound?: never;
}

interface NoFunction {
  readonly asFunction?: never;
  readonly functions?: never;
}

interface FillsPlaceholder<C extends AnyObjectSchema, Filled> {
  readonly placeholder: string;
  argsFromChat(messages: readonly ChatMessage[], config: z.output<C>): Filled;
  lacksAsPlaceholder?(config: z.output<C>): Readonly<Record<string, string>>;
}

interface FillsNothing {
  readonly placeholder?: never;
  readonly argsFromChat?: never;
  readonly lacksAsPlaceholder?: never;
}

/** `Given` with every key that `Wanted` lacks made impossible: a return value gets no such check by itself. */
type Exactly<Given, Wanted> = Given & Wanted & Readonly<Record<Exclude<keyof Given, keyof Wanted>, never>>;

/** What an author writes: a function, or functions, or a placeholder to fill, each with all that belongs to it. */
type ToolDefinition<C extends AnyObjectSchema, A extends AnyObjectSchema, B extends string, F> = ToolBody<
  C,
  A,
  B
> &
  (
    | ((OneFunction<C> | SeveralFunctions<C>) &
        (FillsPlaceholder<C, Exactly<F, Omit<z.input<A>, B>>> | FillsNothing))
    | (NoFunction & FillsPlaceholder<C, Exactly<F, Omit<z.input<A>, B>>>)
  );

export function defineTool<
  C extends AnyObjectSchema,
  A extends AnyObjectSchema,
  B extends Extract<keyof z.output<A>, string> = never,
  F = unknown,
>(tool: ToolDefinition<C, A, B, F>): Tool<C, A, NoInfer<B>> {
  return tool;
}

/** The arguments as the model sees them: those that are bound to the Caller are not among them. */
export const modelArgs = memoizeByObject(
  ({ args, bound }: Pick<AnyTool, 'args' | 'bound'>): AnyObjectSchema => {
    const names = Object.keys(bound ?? {});
    if (names.length === 0) return args;
    return args.omit(Object.fromEntries(names.map((name) => [name, true])) as Record<string, never>);
  },
);

/** `user_input` belongs to the user's own words. */
export function isPlaceholderName(name: string): boolean {
  return isPluginName(name) && name !== 'user_input';
}

export function isPluginName(name: string): boolean {
  return /^[a-z][a-z0-9_]{0,63}$/.test(name);
}

/**
 * For catalogues. A name that depends on the configuration is shown with the key it depends on:
 * `call_assistant_<assistant_id>`. Undefined for a tool that is no function, or whose name cannot be told ahead.
 */
export function functionNameOf(tool: AnyTool): string | undefined {
  const keys = Object.keys(tool.config.shape);
  try {
    return tool.asFunction?.(Object.fromEntries(keys.map((key) => [key, `<${key}>`]))).name;
  } catch {
    return undefined;
  }
}
