import { nameOf, type Resource } from '../../src/core/access/access.js';
import { oneLine, safeLabel } from '../../src/core/base/text.js';
import type { AnswerStep } from '../../src/core/runs/conversation.js';
import type { Doing, StatusEvent, ToolFacts } from '../../src/core/runs/event.js';
import type { RunStep } from '../../src/core/runs/record.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import { fingerprint } from '../base/fingerprint.js';
import { createSourceList } from './citations.js';
import type { CallSite, Invocation, ToolOutcome } from './invocation.js';
import { readResult } from './result.js';
import type { ReadyTool } from './toolbox.js';

type Phase = 'completed' | 'failed' | 'denied';

export type CallEnded = Extract<StatusEvent, { readonly tool: string; readonly ms: number }>;

/** Makes the events of one call. Before its arguments are known a call is named by what it is about. */
export function announcer(site: CallSite, ready: ReadyTool | undefined, startedAt: Date) {
  const tool = ready?.tool.name ?? 'unknown';
  const factsOf = (args: Record<string, unknown> | undefined) => {
    const subject = subjectOf(ready, args);
    return { tool, label: labelOf(ready, args), ...(subject === undefined ? {} : { subject }) };
  };
  return {
    started(args: Record<string, unknown>): StatusEvent {
      const facts = factsOf(args);
      if (site.kind === 'placeholder')
        return { type: 'placeholder.started', ...facts, placeholder: site.placeholder };
      return { type: 'tool.started', iteration: site.iteration, call_id: site.callId, ...facts };
    },
    ended(phase: Phase, args?: Record<string, unknown>, told?: ToolFacts): CallEnded {
      const { label, ...named } = factsOf(args);
      const facts = {
        ...named,
        label: withWhatFailed(label, told),
        ms: Date.now() - startedAt.getTime(),
        ...(told ? { facts: told } : {}),
      };
      if (site.kind === 'placeholder') {
        const type = phase === 'completed' ? 'placeholder.completed' : 'placeholder.failed';
        return { type, ...facts, placeholder: site.placeholder };
      }
      return { type: `tool.${phase}`, iteration: site.iteration, call_id: site.callId, ...facts };
    },
  };
}

const LONGEST_LABEL = 120;
const LONGEST_REST = 80;

/** A call that went well in part says which part did not. */
function withWhatFailed(label: string, { failed = [], refused = 0 }: ToolFacts = {}): string {
  const names = Array.isArray(failed) ? failed : [];
  const rest = [
    ...(names.length > 0 ? [`could not be asked: ${names.join(', ')}`] : []),
    ...(refused === 0 ? [] : [`${String(refused)} ${names.length > 0 ? 'more ' : ''}not available`]),
  ];
  if (rest.length === 0) return label;
  const end = ` (${oneLine(rest.join('; '), LONGEST_REST)})`;
  return `${oneLine(label, LONGEST_LABEL - end.length)}${end}`;
}

/** What a tool told, and how much the gate left out: by its number, since not even its name is the reader's to know. */
export function shownFacts(outcome: ToolOutcome, refused: readonly Resource[]): ToolFacts | undefined {
  const told = outcome.ok ? outcome.facts : undefined;
  return refused.length === 0 ? told : { ...told, refused: refused.length };
}

/** The end of a call as it is kept with the answer. */
export function answerStep(
  { type, tool, label, subject, ms, facts: told, ...facts }: CallEnded,
  askedAssistant = false,
): AnswerStep {
  const [kind, state] = type.split('.') as ['placeholder' | 'tool', AnswerStep['state']];
  return {
    ...{ kind: kind === 'tool' && askedAssistant ? 'assistant' : kind, tool, label, state, ms },
    ...(subject === undefined ? {} : { subject }),
    iteration: 'iteration' in facts ? facts.iteration : 0,
    ...(told ? { facts: told } : {}),
  };
}

interface Report {
  readonly label: string;
  readonly percent: number | undefined;
  readonly doing: Doing | undefined;
}

export function progressEvent(site: CallSite, tool: string, { label, percent, doing }: Report): StatusEvent {
  const iteration = site.kind === 'tool' ? site.iteration : 0;
  const said = {
    ...(doing === undefined ? {} : { doing: doing.what }),
    ...(doing?.subject === undefined ? {} : { subject: safeLabel(doing.subject) }),
  };
  const facts = { iteration, call_id: site.callId, tool, label: safeLabel(label), ...said };
  if (percent === undefined || !Number.isFinite(percent)) return { type: 'tool.progress', ...facts };
  return { type: 'tool.progress', ...facts, percent: Math.min(100, Math.max(0, Math.round(percent))) };
}

export function approvalEvent(
  site: CallSite,
  ready: ReadyTool,
  { args, label, expiresAt }: { readonly args: Record<string, unknown>; label: string; expiresAt: string },
): StatusEvent {
  const iteration = site.kind === 'tool' ? site.iteration : 0;
  const subject = subjectOf(ready, args);
  return {
    ...{ type: 'approval.required', iteration, call_id: site.callId, tool: ready.tool.name, label },
    ...(subject === undefined ? {} : { subject }),
    expires_at: expiresAt,
  };
}

/** Its author's name for it goes before what a call's arguments say. */
function subjectOf(
  ready: ReadyTool | undefined,
  args: Record<string, unknown> | undefined,
): string | undefined {
  if (!ready?.tool.subjectOf || ready.named !== undefined || args === undefined) return ready?.named;
  try {
    return safeLabel(ready.tool.subjectOf(args, ready.config));
  } catch {
    return undefined;
  }
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
  readonly refused?: readonly Resource[];
  readonly denied?: boolean;
  readonly ctx: RunContext;
}

/** The call as the trace keeps it. */
export function stepOf({
  invocation,
  startedAt,
  outcome,
  childRunId,
  refused = [],
  denied = false,
  ctx,
}: CallFacts): RunStep {
  const { site, ready, args } = invocation;
  const told = outcome.ok ? outcome.facts : undefined;
  const facts = refused.length === 0 ? told : { ...told, refused: refused.map(nameOf) };
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
    ...(facts ? { facts } : {}),
    callId: site.callId,
    ...(denied ? { denied } : {}),
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
