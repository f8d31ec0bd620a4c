import { deedOf } from '../../src/core/access/audit.js';
import type { Caller } from '../../src/core/access/caller.js';
import type { Assistant, ToolEntry } from '../../src/core/assistants/assistant.js';
import { forbidden, invalidConfiguration, notFound, toolFailed } from '../../src/core/errors.js';
import type { JsonRecord } from '../../src/core/base/json.js';
import type { AskApproval } from '../../src/core/runs/approval.js';
import type { Ending, NumberedSource, Tell, Usage } from '../../src/core/runs/event.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import { type AnyTool, modelArgs } from '../../src/core/tool.js';
import { citedIn, createSourceList } from '../gate/citations.js';
import { invokeTool } from '../gate/invoke-tool.js';
import { readResult } from '../gate/result.js';
import { openToolbox, type ReadyTool } from '../gate/toolbox.js';
import { chooseModel } from '../models/choose-model.js';
import { beginRun, budgetFor, type RunBasis, type RunDeps } from './prepare.js';
import { recordRun, runBegan } from './record.js';
import { standInFor } from './stand-in-assistant.js';

export interface ToolRequest {
  readonly runId: string;
  /** The installed tool, by its name. */
  readonly tool: string;
  /** Which of its functions, where it has several; the first unless given. */
  readonly functionName?: string | undefined;
  /** What a model would send: JSON, not parsed yet. */
  readonly args: string;
  /** What an assistant's author would set. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  /** What the client wants it traced as a part of (W3C Trace Context). */
  readonly traceparent?: string | undefined;
  readonly signal: AbortSignal;
  /** Who says yes to a tool that writes or acts outside. Without anybody it is refused. */
  readonly askApproval?: AskApproval | undefined;
}

export interface ToolRunResult {
  readonly ok: boolean;
  /** What it brought, or why it did not: safe to show either way. */
  readonly text: string;
  readonly sources: readonly NumberedSource[];
  /** The same for a program, where the tool brings it. */
  readonly data?: JsonRecord;
  readonly usage: Usage;
}

/** A run of one tool that was let in. Nothing happens until it is started. */
export interface ToolRun {
  readonly start: (tell: Tell) => Promise<ToolRunResult>;
}

export type RunOneTool = (request: ToolRequest) => Promise<ToolRun>;

/** One tool for one person, without an assistant: the same gate, judged by that person's own rights, and on record. */
export function createRunOneTool(deps: RunDeps): RunOneTool {
  return async (request) => {
    const { caller, runId } = request;
    const tool = deps.plugins.tools.get(request.tool);
    if (!tool) throw notFound(`A tool called "${request.tool.slice(0, 64)}"`);
    const config = configFor(tool, request.config);
    const entry = entryFor(request);
    const assistant = standInFor(caller, [entry]);
    const settings = await deps.settingsOf(caller.organizationId);
    const resource = `tool ${tool.name}`;
    await deps.stores.audit.record(deedOf(caller, { action: 'run a tool', resource, runId }));

    const parts = partsOf(request, assistant, deps);
    const model = () => chooseModel(assistant.setup, settings, deps.plugins.connectors, deps.log);
    const budget = await budgetFor(parts, settings, deps);
    const basis = beginRun(parts, { settings, budget, model }, deps);
    return { start: (tell) => executeTool(basis, { request, tool, entry, config }, deps, tell) };
  };
}

interface Wanted {
  readonly request: ToolRequest;
  readonly tool: AnyTool;
  readonly entry: ToolEntry;
  readonly config: Record<string, unknown>;
}

async function executeTool(
  basis: RunBasis,
  wanted: Wanted,
  deps: RunDeps,
  tell: Tell,
): Promise<ToolRunResult> {
  const { trace, deadline } = basis;
  const { request } = wanted;
  const ctx: RunContext = { ...basis.ctx, askApproval: request.askApproval };
  let ending: Ending | undefined;
  let fault: unknown;
  runBegan(basis, deps);
  try {
    await tell({ type: 'run.started', run_id: ctx.runId });
    const ready = await readyTool(wanted, ctx);
    const site = { kind: 'tool', iteration: 1, callId: 'call_1' } as const;
    const outcome = await invokeTool({ site, ready, args: { fromModel: request.args } }, ctx, tell);

    const found = createSourceList();
    const text = outcome.ok ? readResult(outcome, found) : outcome.reason;
    const sources = found.list();
    const usage = trace.usage();
    if (!outcome.ok) {
      fault = toolFailed(outcome.reason);
      return { ok: false, text, sources, usage };
    }
    const tools = trace.tools();
    const listed = citedIn('', sources);
    ending = { finishReason: 'stop', iterations: 0, capped: false, usage, sources: listed, tools };
    const { data } = outcome;
    return { ok: true, text, sources, usage, ...(data ? { data } : {}) };
  } catch (thrown) {
    fault = thrown;
    throw thrown;
  } finally {
    deadline.dispose();
    await recordRun(basis, { answer: '', ending, fault }, deps);
  }
}

/** Left out of the toolbox, it still goes to the gate by its name: the gate says why it may not be used. */
async function readyTool(
  { request, tool, entry, config }: Wanted,
  ctx: RunContext,
): Promise<ReadyTool | undefined> {
  const { functionName } = request;
  const { functions } = await openToolbox(new Map([[tool.name, tool]]), ctx);
  const laidOut = [...functions.values()].find(
    ({ asFunction }) => functionName === undefined || asFunction?.name === functionName,
  );
  if (laidOut || !tool.asFunction || functionName !== undefined) return laidOut;
  return { entry, tool, config, subject: { name: tool.title }, asFunction: undefined, args: modelArgs(tool) };
}

function configFor(tool: AnyTool, given: ToolRequest['config']): Record<string, unknown> {
  if (!tool.asFunction && !tool.functions) {
    throw invalidConfiguration(`The tool "${tool.name}" only fills a placeholder; it cannot be called.`);
  }
  const config = tool.config.safeParse(given);
  if (config.success) return config.data;
  const faults = config.error.issues
    .slice(0, 10)
    .map(({ path, message }) => `${path.join('.') || 'config'}: ${message}`);
  throw invalidConfiguration(`The configuration does not fit. ${faults.join('; ').slice(0, 500)}`, 'config');
}

function entryFor({ tool, config }: ToolRequest): ToolEntry {
  return {
    type: tool,
    enabled: true,
    mode: 'function',
    placeholder: undefined,
    name: undefined,
    description: undefined,
    onError: 'omit',
    approval: 'ask',
    config,
  };
}

function partsOf(
  { runId, caller, traceparent, signal }: ToolRequest,
  assistant: Assistant,
  { stores }: RunDeps,
): Parameters<typeof beginRun>[0] {
  return {
    ...{ runId, caller, traceparent, signal, assistant },
    parent: undefined,
    chat: [],
    sampling: {},
    conversation: undefined,
    mayAsk: false,
    // An account switched off meanwhile acts no more.
    currentAssistant: async () => ((await stores.users.byId(caller.userId))?.enabled ? assistant : undefined),
    startChild: () => Promise.reject(forbidden('A tool that is run directly cannot ask an assistant.')),
  };
}
