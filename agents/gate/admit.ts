import type { z } from 'zod';
import { nameOf, type Resource } from '../../src/core/access/access.js';
import type { Approval, ToolEntry } from '../../src/core/assistants/assistant.js';
import { parseStrictJson } from '../../src/core/base/json.js';
import { memoizeByObject } from '../../src/core/base/memo.js';
import { AppError } from '../../src/core/errors.js';
import { errorLocation } from '../../src/core/log.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import type { AnyObjectSchema, AnyTool } from '../../src/core/tool.js';
import type { Invocation } from './invocation.js';
import type { ReadyTool } from './toolbox.js';
import { usablePart } from './usable-part.js';

export interface Admitted {
  readonly admitted: true;
  readonly ready: ReadyTool;
  readonly args: Record<string, unknown>;
  /** As the owner has it set now. */
  readonly approval: Approval | undefined;
  /** What it would touch and may not: the tool is called without it. */
  readonly refused: readonly Resource[];
}

export interface Refused {
  readonly admitted: false;
  readonly phase: 'failed' | 'denied';
  readonly reason: string;
  readonly code: RefusalCode;
  /** What somebody was asked about, who has therefore read it already. */
  readonly asked?: Record<string, unknown>;
}

export const REFUSAL_CODES = ['tool_failed', 'arguments', 'unknown_person', 'not_available'] as const;
type RefusalCode = (typeof REFUSAL_CODES)[number];

/** The same words whether a thing does not exist or is somebody else's. */
const NOT_AVAILABLE = 'This is not available. Use only the functions that were offered.';

/** Fails closed: a check that itself breaks admits nothing. */
export async function admitCall(invocation: Invocation, ctx: RunContext): Promise<Admitted | Refused> {
  try {
    return await check(invocation, ctx);
  } catch (fault) {
    ctx.log.warn(
      { tool: invocation.ready?.tool.name, fault: errorLocation(fault) },
      'tool could not be checked',
    );
    return refuse('failed', 'The tool failed.', 'tool_failed');
  }
}

/** In this order: offered, still enabled, arguments, who it is for, everything it touches, one by one. */
async function check({ site, ready, args }: Invocation, ctx: RunContext): Promise<Admitted | Refused> {
  const denyFor = (resource: string, reason: string) => {
    ctx.audit({ action: `use in a ${site.kind} call`, resource, reason });
    return refuse('denied', NOT_AVAILABLE);
  };
  if (!ready) return denyFor('function', 'not offered in this round');
  const { tool, config } = ready;
  const current = await currentEntry(ready, ctx);
  if (typeof current === 'string') return denyFor(`tool ${tool.name}`, current);

  const parsed = parseArgs(ready, args);
  if (!parsed.ok) return refuse('failed', parsed.reason, 'arguments');
  const bound = await boundTo(tool, ctx);
  if (!bound.ok) {
    ctx.audit({ action: `use in a ${site.kind} call`, resource: `tool ${tool.name}`, reason: bound.reason });
    return refuse('denied', bound.reason, 'unknown_person');
  }
  const whole = { ...parsed.value, ...bound.value };

  const part = await usablePart({ tool, args: whole, config }, ctx);
  for (const { resource, reason } of part.refused) denyFor(nameOf(resource), reason);
  if (!part.config) return refuse('denied', NOT_AVAILABLE);
  return {
    admitted: true,
    ready: part.config === config ? ready : { ...ready, config: part.config },
    args: whole,
    approval: current.approval,
    refused: part.refused.map(({ resource }) => resource),
  };
}

export function refuse(
  phase: Refused['phase'],
  reason: string,
  code: RefusalCode = 'not_available',
): Refused {
  return { admitted: false, phase, reason, code };
}

/**
 * The entry as it stands now, or why there is none. A tool switched off, an assistant deleted, a right withdrawn:
 * each stops runs that are already going.
 */
async function currentEntry({ entry }: ReadyTool, ctx: RunContext): Promise<ToolEntry | string> {
  const current = await ctx.currentAssistant();
  if (!current) return 'the assistant is gone, off, or no longer theirs to use';
  if (current.version === ctx.assistant.version) return entry;
  const config = JSON.stringify(entry.config);
  const still = current.setup.tools.find(
    (other) => other.enabled && other.type === entry.type && JSON.stringify(other.config) === config,
  );
  return still ?? 'no longer enabled';
}

/** Who the call is for, asked of the Caller at every call. */
async function boundTo({ bound = {} }: AnyTool, ctx: RunContext): Promise<ParsedArgs> {
  const value: Record<string, unknown> = {};
  try {
    for (const [name, identity] of Object.entries(bound)) value[name] = await identity.of(ctx.toolServices());
    return { ok: true, value };
  } catch (fault) {
    if (fault instanceof AppError) return { ok: false, reason: fault.message };
    throw fault;
  }
}

/** A schema is expensive to make and cheap to use. */
const strict = memoizeByObject((args: AnyObjectSchema) => args.strict());

type ParsedArgs =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly reason: string };

function parseArgs(ready: ReadyTool, args: Invocation['args']): ParsedArgs {
  if ('fromChat' in args) return fit(ready, args.fromChat);
  // Some models send nothing at all for a function without parameters.
  const json = parseStrictJson(args.fromModel.trim() === '' ? '{}' : args.fromModel);
  if (!json.ok) return { ok: false, reason: `The arguments were refused: the text ${json.reason}.` };
  return fit(ready, json.value);
}

function fit({ args }: ReadyTool, value: unknown): ParsedArgs {
  const parsed = strict(args).safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const faults = parsed.error.issues
    .slice(0, 5)
    .map((issue: z.core.$ZodIssue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`);
  return { ok: false, reason: `The arguments do not fit. ${faults.join('; ').slice(0, 500)}` };
}
