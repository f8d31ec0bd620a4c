import type { z } from 'zod';
import { nameOf } from '../src/core/access.js';
import type { RunContext } from '../src/core/run-context.js';
import { whereItBroke } from '../src/core/where-it-broke.js';
import { parseStrictJson } from '../src/core/strict-json.js';
import type { AnyTool } from '../src/core/tool.js';
import type { Invocation } from './invocation.js';
import type { ReadyTool } from './toolbox.js';

export interface Admitted {
  readonly admitted: true;
  readonly ready: ReadyTool;
  readonly args: Record<string, unknown>;
}

interface Refused {
  readonly admitted: false;
  readonly phase: 'failed' | 'denied';
  readonly reason: string;
}

/** The same words whether a thing does not exist or is somebody else's. */
const NOT_AVAILABLE = 'This is not available. Use only the functions that were offered.';

/** Fails closed: a check that itself breaks admits nothing. */
export async function admitCall(invocation: Invocation, ctx: RunContext): Promise<Admitted | Refused> {
  try {
    return await check(invocation, ctx);
  } catch (fault) {
    ctx.log.warn(
      { tool: invocation.ready?.tool.name, fault: whereItBroke(fault) },
      'tool could not be checked',
    );
    return refuse('failed', 'The tool failed.');
  }
}

/** In this order: offered, still enabled, arguments, everything it touches. */
async function check({ site, ready, args }: Invocation, ctx: RunContext): Promise<Admitted | Refused> {
  const denyFor = (resource: string, reason: string) => {
    ctx.audit({ action: `use in a ${site.kind} call`, resource, reason });
    return refuse('denied', NOT_AVAILABLE);
  };
  if (!ready) return denyFor('function', 'not offered in this round');
  const closed = await whyClosed(ready, ctx);
  if (closed !== undefined) return denyFor(`tool ${ready.tool.name}`, closed);

  const parsed = parseArgs(ready.tool, args);
  if (!parsed.ok) return refuse('failed', parsed.reason);

  for (const resource of ready.tool.touches(parsed.value, ready.config)) {
    const verdict = await ctx.policy.mayUse(resource, ctx.assistant);
    if (!verdict.allowed) return denyFor(nameOf(resource), verdict.reason);
  }
  return { admitted: true, ready, args: parsed.value };
}

function refuse(phase: Refused['phase'], reason: string): Refused {
  return { admitted: false, phase, reason };
}

/** A tool switched off, an assistant deleted, a right withdrawn: each stops runs that are already going. */
async function whyClosed({ entry }: ReadyTool, ctx: RunContext): Promise<string | undefined> {
  const current = await ctx.currentAssistant();
  if (!current) return 'the assistant is gone, off, or no longer theirs to use';
  if (current.version === ctx.assistant.version) return undefined;
  const config = JSON.stringify(entry.config);
  const isStillThere = current.setup.tools.some(
    (other) => other.enabled && other.type === entry.type && JSON.stringify(other.config) === config,
  );
  return isStillThere ? undefined : 'no longer enabled';
}

type ParsedArgs =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly reason: string };

function parseArgs(tool: AnyTool, args: Invocation['args']): ParsedArgs {
  if ('fromChat' in args) return fit(tool, args.fromChat);
  // Some models send nothing at all for a function without parameters.
  const json = parseStrictJson(args.fromModel.trim() === '' ? '{}' : args.fromModel);
  if (!json.ok) return { ok: false, reason: `The arguments were refused: the text ${json.reason}.` };
  return fit(tool, json.value);
}

function fit(tool: AnyTool, value: unknown): ParsedArgs {
  const parsed = tool.args.strict().safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const faults = parsed.error.issues
    .slice(0, 5)
    .map((issue: z.core.$ZodIssue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`);
  return { ok: false, reason: `The arguments do not fit. ${faults.join('; ').slice(0, 500)}` };
}
