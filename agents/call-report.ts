import { nameOf } from '../src/core/access.js';
import type { StatusEvent } from '../src/core/event.js';
import { safeLabel } from '../src/core/label.js';
import type { RunContext } from '../src/core/run-context.js';
import type { RunStep } from '../src/core/run-record.js';
import { fingerprint } from './fingerprint.js';
import type { CallSite, Invocation, ToolOutcome } from './invocation.js';
import { readResult } from './read-result.js';
import { createSourceList } from './sources.js';
import type { ReadyTool } from './toolbox.js';

type Phase = 'started' | 'completed' | 'failed' | 'denied';

/** Makes the events of one call. Before its arguments are known a call is named by what it is about. */
export function announcer(site: CallSite, ready: ReadyTool | undefined, startedAt: Date) {
  const tool = ready?.tool.name ?? 'unknown';
  return (phase: Phase, args?: Record<string, unknown>): StatusEvent => {
    const label = labelOf(ready, args);
    const ms = phase === 'started' ? undefined : Date.now() - startedAt.getTime();
    if (site.kind === 'placeholder') {
      const facts = { tool, placeholder: site.placeholder, label };
      if (ms === undefined) return { type: 'placeholder.started', ...facts };
      return { type: phase === 'completed' ? 'placeholder.completed' : 'placeholder.failed', ...facts, ms };
    }
    const facts = { iteration: site.iteration, call_id: site.callId, tool, label };
    if (phase === 'started' || ms === undefined) return { type: 'tool.started', ...facts };
    return { type: `tool.${phase}`, ...facts, ms };
  };
}

export function progressEvent(
  site: CallSite,
  tool: string,
  label: string,
  percent: number | undefined,
): StatusEvent {
  const iteration = site.kind === 'tool' ? site.iteration : 0;
  const facts = { iteration, call_id: site.callId, tool, label: safeLabel(label) };
  if (percent === undefined || !Number.isFinite(percent)) return { type: 'tool.progress', ...facts };
  return { type: 'tool.progress', ...facts, percent: Math.min(100, Math.max(0, Math.round(percent))) };
}

export function approvalEvent(site: CallSite, tool: string, label: string, expiresAt: string): StatusEvent {
  const iteration = site.kind === 'tool' ? site.iteration : 0;
  return { type: 'approval.required', iteration, call_id: site.callId, tool, label, expires_at: expiresAt };
}

function labelOf(ready: ReadyTool | undefined, args: Record<string, unknown> | undefined): string {
  if (!ready) return 'calling an unknown tool';
  const { tool, config, subject } = ready;
  try {
    if (args !== undefined) return safeLabel(tool.status(args, config, subject));
  } catch {
    // A label is never worth a run.
  }
  return `calling ${subject.name}`;
}

interface CallFacts {
  readonly invocation: Invocation;
  readonly startedAt: Date;
  readonly outcome: ToolOutcome;
  readonly childRunId?: string | undefined;
  readonly ctx: RunContext;
}

/** The call as the trace keeps it. */
export function stepOf({ invocation, startedAt, outcome, childRunId, ctx }: CallFacts): RunStep {
  const { site, ready, args } = invocation;
  const input = 'fromModel' in args ? args.fromModel : JSON.stringify(args.fromChat);
  return {
    kind: site.kind,
    tool: ready?.tool.name ?? 'unknown',
    ok: outcome.ok,
    startedAt: startedAt.toISOString(),
    ms: Date.now() - startedAt.getTime(),
    iteration: site.kind === 'tool' ? site.iteration : 0,
    input: fingerprint(input),
    // Numbered from 1: the same result looks the same, whatever else the run has found.
    output: fingerprint(outcome.ok ? readResult(outcome, createSourceList()) : outcome.reason),
    ...(childRunId === undefined ? {} : { childRunId }),
    ...(ready && ctx.assistant.setup.verbose ? { detail: safeInputs(ready, site) } : {}),
  };
}

/** Names, ids and relative paths: what the tool was pointed at, never what was asked or found. */
function safeInputs({ tool, config, subject }: ReadyTool, site: CallSite): Record<string, string> {
  const touched = tool.touches(undefined, config).map(nameOf);
  return {
    subject: subject.name,
    ...(touched.length > 0 ? { touched: touched.join(', ') } : {}),
    ...(site.kind === 'placeholder' ? { placeholder: site.placeholder } : {}),
  };
}
