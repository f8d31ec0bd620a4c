import { nameOf } from '../../src/core/access/access.js';
import type { AssistantSetup, ToolEntry } from '../../src/core/assistants/assistant.js';
import { deepFreeze, memoizeByObject } from '../../src/core/base/memo.js';
import { safeLabel } from '../../src/core/base/text.js';
import type { FunctionSpec } from '../../src/core/connector.js';
import { fromJsonSchema, type JsonSchema, toJsonSchema } from '../../src/core/json-schema.js';
import { errorLocation } from '../../src/core/log.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import {
  type AnyObjectSchema,
  type AnyTool,
  type FunctionName,
  modelArgs,
  type OfferedFunction,
  type Subject,
} from '../../src/core/tool.js';
import { usablePart } from './usable-part.js';

/** An entry whose tool is installed and whose configuration fits it. */
export interface ReadyTool {
  readonly entry: ToolEntry;
  readonly tool: AnyTool;
  readonly config: Record<string, unknown>;
  readonly subject: Subject;
  /** The subject's name when it is more than the tool's own title. */
  readonly named?: string | undefined;
  /** How the model is told of it; undefined for a tool that only fills a placeholder. */
  readonly asFunction: (FunctionName & Partial<OfferedFunction>) | undefined;
  /** What a call may set, without what is bound to the Caller. */
  readonly args: AnyObjectSchema;
}

/** A placeholder that cannot be filled still has a place in the template, and an `on_error` to follow. */
export interface PlaceholderTool {
  readonly entry: ToolEntry;
  readonly placeholder: string;
  /** Of the tool, where it is installed. */
  readonly title: string | undefined;
  readonly ready: ReadyTool | undefined;
}

export interface Toolbox {
  readonly placeholders: readonly PlaceholderTool[];
  readonly functions: ReadonlyMap<string, ReadyTool>;
  readonly specs: readonly FunctionSpec[];
}

/** Lays out what this assistant may use now. Leaving a function out saves tokens; the gate is what protects. */
export async function openToolbox(tools: InstalledTools, ctx: RunContext): Promise<Toolbox> {
  const { setup } = ctx.assistant;
  const fixed = fixedToolbox(tools)(setup);
  if (fixed) return fixed;
  // All at the same time; only those that depend on what stands elsewhere have to be waited for.
  const laidOut = enabledIn(setup).map((entry) => {
    const tool = tools.get(entry.type);
    return { entry, made: (tool && fixedReady(tool)(entry)) ?? makeReady(entry, tool, ctx) };
  });
  const ready: LaidOut[] = [];
  for (const { entry, made } of laidOut) {
    ready.push({ entry, ready: made instanceof Promise ? await made : made });
  }
  return arranged(ready, tools);
}

type InstalledTools = ReadonlyMap<string, AnyTool>;

interface LaidOut {
  readonly entry: ToolEntry;
  /** Once for each of its functions. */
  readonly ready: readonly ReadyTool[];
}

const enabledIn = ({ tools }: AssistantSetup) => tools.filter((entry) => entry.enabled);

/** Where all tools are laid out the same in every run, so is the whole: once for each version of an assistant. */
const fixedToolbox = memoizeByObject((tools: InstalledTools) =>
  memoizeByObject((setup: AssistantSetup): Toolbox | undefined => {
    const laidOut: LaidOut[] = [];
    for (const entry of enabledIn(setup)) {
      const tool = tools.get(entry.type);
      const ready = tool && fixedReady(tool)(entry);
      if (!ready) return undefined;
      laidOut.push({ entry, ready });
    }
    return laidOut.length === 0 ? NO_TOOLS : arranged(laidOut, tools);
  }),
);

function arranged(laidOut: readonly LaidOut[], tools: InstalledTools): Toolbox {
  const placeholders: PlaceholderTool[] = [];
  const functions = new Map<string, ReadyTool>();
  const specs: FunctionSpec[] = [];
  const nameFor = createNamer();
  for (const { entry, ready } of laidOut) {
    if (entry.mode === 'placeholder') {
      const title = tools.get(entry.type)?.title;
      placeholders.push({ entry, title, placeholder: entry.placeholder ?? entry.type, ready: ready[0] });
      continue;
    }
    for (const one of ready) {
      if (!one.asFunction) continue;
      const name = nameFor(one.asFunction.name, entry.name);
      functions.set(name, one);
      const spec = specOf(one, ready.length);
      specs.push(name === spec.name ? spec : { ...spec, name });
    }
  }
  return { placeholders, functions, specs };
}

export const NO_TOOLS: Toolbox = { placeholders: [], functions: new Map(), specs: [] };

/** A tool that points at nothing is laid out the same in every run, and entries never change: once is enough. */
const fixedReady = memoizeByObject((tool: AnyTool) =>
  memoizeByObject((entry: ToolEntry): readonly ReadyTool[] | undefined => {
    if (tool.subject || tool.functions) return undefined;
    try {
      const config = tool.config.safeParse(entry.config);
      if (!config.success || tool.touches(undefined, config.data).length > 0) return undefined;
      return [readyOf(entry, tool, deepFreeze(config.data), { name: tool.title })];
    } catch {
      // Left to the laying out of each run, which reports the fault.
      return undefined;
    }
  }),
);

function readyOf(
  entry: ToolEntry,
  tool: AnyTool,
  config: Record<string, unknown>,
  { name, ...subject }: Subject,
): ReadyTool {
  const shown = safeLabel(entry.name ?? name);
  return {
    ...{ entry, tool, config },
    subject: { ...subject, name: shown },
    named: entry.name !== undefined || tool.subject ? shown : undefined,
    asFunction: tool.asFunction?.(config),
    args: modelArgs(tool),
  };
}

/** A tool whose own code breaks while it is laid out is left out, like one that is not installed. */
async function makeReady(
  entry: ToolEntry,
  tool: AnyTool | undefined,
  ctx: RunContext,
): Promise<readonly ReadyTool[]> {
  const laidOut = tool ? await layOut(entry, tool, ctx).catch(errorLocation) : 'not installed';
  if (typeof laidOut !== 'string') return laidOut;
  ctx.log.warn({ tool: entry.type, why: laidOut }, 'tool is left out');
  return [];
}

/** The tool ready to be called, once for each of its functions, or why it is not. */
async function layOut(
  entry: ToolEntry,
  tool: AnyTool,
  ctx: RunContext,
): Promise<readonly ReadyTool[] | string> {
  const config = tool.config.safeParse(entry.config);
  if (!config.success) return 'its configuration does not fit';
  // Asked before the subject is read: the name of what may not be used is not told either.
  if (!(await isUsable(tool, config.data, entry, ctx))) return 'what it touches may not be used';
  const subject = tool.subject ? await tool.subject(config.data, ctx.toolServices()) : { name: tool.title };
  if (!subject) return 'what it points at is gone';
  const ready = readyOf(entry, tool, config.data, subject);
  if (!tool.functions) return [ready];
  const offered = await tool.functions(config.data, ctx.toolServices());
  return offered.map((asFunction) => ({
    ...ready,
    asFunction,
    args: argsOf(asFunction.parameters),
    subject: subjectOf(asFunction, ready.subject),
  }));
}

function subjectOf({ label }: OfferedFunction, subject: Subject): Subject {
  return label === undefined ? subject : { ...subject, name: safeLabel(`${subject.name}: ${label}`) };
}

const argsOf = memoizeByObject(fromJsonSchema);

async function isUsable(
  tool: AnyTool,
  config: Record<string, unknown>,
  { mode }: ToolEntry,
  ctx: RunContext,
): Promise<boolean> {
  const part = await usablePart({ tool, args: undefined, config }, ctx);
  if (part.config) return true;
  // A function that is not offered was not tried; a placeholder would have been.
  if (mode === 'placeholder') {
    for (const { resource, reason } of part.refused)
      ctx.audit({ action: 'use in a placeholder call', resource: nameOf(resource), reason });
  }
  return false;
}

/** The author's words describe the entry: where it has several functions, each keeps its own. */
function specOf(ready: ReadyTool, functionsOfEntry: number): FunctionSpec {
  return functionsOfEntry === 1 ? describedByAuthor(ready) : describedByItself(ready);
}

const describedByItself = memoizeByObject((ready: ReadyTool) => describe(ready, undefined));
const describedByAuthor = memoizeByObject((ready: ReadyTool) => describe(ready, ready.entry.description));

function describe({ tool, subject, asFunction, args }: ReadyTool, given: string | undefined): FunctionSpec {
  return {
    name: asFunction?.name ?? '',
    description: given ?? asFunction?.description ?? subject.description ?? tool.description,
    parameters: closed(asFunction?.parameters ?? toJsonSchema(args)),
  };
}

/** Models are told what the gate enforces: no key beyond these. */
function closed({ $schema: _dialect, ...schema }: JsonSchema): JsonSchema {
  return { ...schema, additionalProperties: false };
}

const LONGEST = 64;

/** Names functions so that each is what providers accept and unique within one assistant. */
export function createNamer(): (wanted: string, alternative?: string) => string {
  const taken = new Set<string>();
  return (wanted, alternative) => {
    const name = firstFree([wanted, ...(alternative ? [alternative] : [])].map(acceptable), taken);
    taken.add(name);
    return name;
  };
}

function firstFree(candidates: readonly string[], taken: ReadonlySet<string>): string {
  const free = candidates.find((name) => name !== '' && !taken.has(name));
  if (free !== undefined) return free;
  const base = candidates[0] ?? 'function';
  for (let n = 2; ; n++) {
    const suffix = `_${String(n)}`;
    const name = base.slice(0, LONGEST - suffix.length) + suffix;
    if (!taken.has(name)) return name;
  }
}

const ALREADY = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9-])?$/;

function acceptable(name: string): string {
  if (ALREADY.test(name)) return name;
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, LONGEST);
}
