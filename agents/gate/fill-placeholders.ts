import { safeLabel } from '../../src/core/base/text.js';
import { AppError } from '../../src/core/errors.js';
import type { Contexts } from '../../src/core/processor.js';
import type { Tell } from '../../src/core/runs/event.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import type { SourceList } from './citations.js';
import type { ToolOutcome } from './invocation.js';
import { invokeTool, sideBySide } from './invoke-tool.js';
import { answerStep } from './report.js';
import { readResult } from './result.js';
import type { PlaceholderTool } from './toolbox.js';

/** Runs the placeholder tools at the same time; a failed one follows its `on_error`. */
export async function fillPlaceholders(
  tools: readonly PlaceholderTool[],
  sources: SourceList,
  ctx: RunContext,
  tell: Tell,
): Promise<Contexts> {
  const outcomes = await runPlaceholders(tools, ctx, tell);
  return contextsOf(tools, textsOf(tools, outcomes, sources));
}

/** What became of each, in the order of the tools. */
export function runPlaceholders(
  tools: readonly PlaceholderTool[],
  ctx: RunContext,
  tell: Tell = () => undefined,
): Promise<readonly ToolOutcome[]> {
  return sideBySide(
    tools.map((tool, i) => () => fill(tool, `placeholder_${String(i + 1)}`, ctx, tell)),
    ctx,
  );
}

/** What each puts into the prompt, its sources numbered after those of the tools before it. */
export function textsOf(
  tools: readonly PlaceholderTool[],
  outcomes: readonly ToolOutcome[],
  sources: SourceList,
): readonly string[] {
  return tools.map((tool, i) => textFor(outcomes[i] as ToolOutcome, tool, sources));
}

export function contextsOf(tools: readonly PlaceholderTool[], texts: readonly string[]): Contexts {
  const contexts = new Map<string, string[]>();
  tools.forEach(({ placeholder }, i) => {
    const filled = contexts.get(placeholder) ?? [];
    contexts.set(placeholder, filled);
    const text = texts[i] ?? '';
    if (text !== '') filled.push(text);
  });
  return contexts;
}

async function fill(
  { entry, placeholder, title, ready }: PlaceholderTool,
  callId: string,
  ctx: RunContext,
  tell: Tell,
): Promise<ToolOutcome> {
  if (!ready?.tool.argsFromChat) {
    const { type: tool, name } = entry;
    const named = name === undefined ? undefined : safeLabel(name);
    const facts = { tool, placeholder, label: `${named ?? title ?? 'a tool'} cannot be used` };
    const subject = named === undefined ? {} : { subject: named };
    const ended = { type: 'placeholder.failed', ...facts, ...subject, ms: 0 } as const;
    ctx.trace.ended(answerStep(ended));
    await tell(ended);
    return { ok: false, reason: 'The tool is not installed or not set up.', code: 'not_set_up' };
  }
  const site = { kind: 'placeholder', placeholder, callId } as const;
  return await invokeTool(
    { site, ready, args: { fromChat: argsFrom(ready.tool.argsFromChat, ready.config, ctx) } },
    ctx,
    tell,
  );
}

/** Undefined fits no schema: a tool that cannot read the chat is then refused at the gate like any bad call. */
function argsFrom(
  argsFromChat: NonNullable<NonNullable<PlaceholderTool['ready']>['tool']['argsFromChat']>,
  config: Record<string, unknown>,
  ctx: RunContext,
): unknown {
  try {
    return argsFromChat(ctx.chat, config);
  } catch {
    return undefined;
  }
}

/** What goes into the prompt; throws when a failure must end the run. */
function textFor(outcome: ToolOutcome, { entry }: PlaceholderTool, sources: SourceList): string {
  if (outcome.ok) return readResult(outcome, sources);
  if (entry.onError === 'fail') {
    const message = `The assistant's tool ${entry.name ?? entry.type} failed: ${outcome.reason}`;
    throw new AppError(message, { status: 502, type: 'api_error', code: 'tool_failed' });
  }
  return entry.onError === 'notice' ? `(${entry.name ?? entry.type} could not be used.)` : '';
}
