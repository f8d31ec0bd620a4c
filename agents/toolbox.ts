import type { ToolEntry } from '../src/core/assistant.js';
import type { FunctionSpec } from '../src/core/connector.js';
import { toJsonSchema } from '../src/core/json-schema.js';
import { safeLabel } from '../src/core/label.js';
import type { RunContext } from '../src/core/run-context.js';
import type { AnyTool, Subject } from '../src/core/tool.js';
import { createNamer } from './function-names.js';

/** An entry whose tool is installed and whose configuration fits it. */
export interface ReadyTool {
  readonly entry: ToolEntry;
  readonly tool: AnyTool;
  readonly config: Record<string, unknown>;
  readonly subject: Subject;
}

/** A placeholder that cannot be filled still has a place in the template, and an `on_error` to follow. */
export interface PlaceholderTool {
  readonly entry: ToolEntry;
  readonly placeholder: string;
  readonly ready: ReadyTool | undefined;
}

export interface Toolbox {
  readonly placeholders: readonly PlaceholderTool[];
  readonly functions: ReadonlyMap<string, ReadyTool>;
  readonly specs: readonly FunctionSpec[];
}

/** Lays out what this assistant may use now. Leaving a function out saves tokens; the gate is what protects. */
export async function openToolbox(tools: ReadonlyMap<string, AnyTool>, ctx: RunContext): Promise<Toolbox> {
  const enabled = ctx.assistant.setup.tools.filter((entry) => entry.enabled);
  const laidOut = await Promise.all(
    enabled.map(async (entry) => ({ entry, ready: await makeReady(entry, tools.get(entry.type), ctx) })),
  );

  const placeholders: PlaceholderTool[] = [];
  const functions = new Map<string, ReadyTool>();
  const specs: FunctionSpec[] = [];
  const nameFor = createNamer();
  for (const { entry, ready } of laidOut) {
    if (entry.mode === 'placeholder') {
      placeholders.push({ entry, placeholder: entry.placeholder ?? entry.type, ready });
    } else if (ready?.tool.asFunction && (await mayOffer(ready, ctx))) {
      const described = ready.tool.asFunction(ready.config);
      const name = nameFor(described.name, entry.name);
      functions.set(name, ready);
      specs.push(specOf(name, ready, described.description));
    }
  }
  return { placeholders, functions, specs };
}

async function makeReady(
  entry: ToolEntry,
  tool: AnyTool | undefined,
  ctx: RunContext,
): Promise<ReadyTool | undefined> {
  if (!tool) {
    ctx.log.warn({ tool: entry.type }, 'tool is not installed');
    return undefined;
  }
  const config = tool.config.safeParse(entry.config);
  if (!config.success) {
    ctx.log.warn({ tool: entry.type, faults: config.error.issues.length }, 'tool configuration does not fit');
    return undefined;
  }
  const subject = tool.subject ? await tool.subject(config.data, ctx) : { name: tool.title };
  if (!subject) return undefined;
  const name = safeLabel(entry.name ?? subject.name);
  return { entry, tool, config: config.data, subject: { ...subject, name } };
}

async function mayOffer(ready: ReadyTool, ctx: RunContext): Promise<boolean> {
  const touched = ready.tool.touches(undefined, ready.config);
  const verdicts = await Promise.all(touched.map((resource) => ctx.policy.mayUse(resource, ctx.assistant)));
  return verdicts.every((verdict) => verdict.allowed);
}

function specOf(name: string, ready: ReadyTool, described: string | undefined): FunctionSpec {
  return {
    name,
    description: ready.entry.description ?? described ?? ready.subject.description ?? ready.tool.description,
    parameters: parametersOf(ready.tool),
  };
}

function parametersOf(tool: AnyTool): FunctionSpec['parameters'] {
  // Models are told what the gate enforces: no key beyond these.
  const { $schema: _dialect, ...schema } = toJsonSchema(tool.args);
  return { ...schema, additionalProperties: false };
}
