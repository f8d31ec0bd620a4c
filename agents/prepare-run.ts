import type { AccessPolicy } from '../src/core/access.js';
import type { Assistant } from '../src/core/assistant.js';
import { denialOf } from '../src/core/audit.js';
import type { Caller } from '../src/core/caller.js';
import type { Sampling } from '../src/core/sampling.js';
import { createDeadline, type Deadline } from '../src/core/deadline.js';
import { invalidConfiguration } from '../src/core/errors.js';
import type { Logger } from '../src/core/log.js';
import type { ChatMessage } from '../src/core/message.js';
import type { Plugins } from '../src/core/plugins.js';
import type { PromptProcessor } from '../src/core/processor.js';
import type {
  ChildAnswer,
  ChildRequest,
  Limits,
  ModelTransport,
  Pictures,
  RunContext,
  Settings,
  ToolSurroundings,
} from '../src/core/run-context.js';
import type { Stores } from '../src/core/stores.js';
import { approvalsFor } from './approvals.js';
import { askForTool } from './ask-for-tool.js';
import { type ChosenModel, chooseModel, type ConnectedModel, smallModel } from './choose-model.js';
import type { OpenConversation } from './conversation.js';
import { createRunTrace, type RunTrace } from './run-trace.js';

export interface RunDeps {
  readonly stores: Stores;
  readonly policy: AccessPolicy;
  readonly plugins: Plugins;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
  readonly fetch: typeof fetch;
  readonly models: ModelTransport;
  readonly picturesFor: (caller: Caller, settings: Settings) => Pictures;
  readonly limits: Limits;
  readonly log: Logger;
  /** What must happen to an assistant before it is used: it may come back in another stored form. */
  readonly onAccess: (assistant: Assistant) => Promise<Assistant>;
}

/** What a client's run and a child run differ in. */
export interface RunParts {
  readonly runId: string;
  readonly parentRunId: string | undefined;
  readonly assistant: Assistant;
  readonly caller: Caller;
  readonly chat: readonly ChatMessage[];
  readonly sampling: Sampling;
  readonly signal: AbortSignal;
  readonly conversation: OpenConversation | undefined;
  /** Whether whoever is chatting sees what the run tells, and so can be asked to approve a call. */
  readonly mayAsk: boolean;
  /** Read anew at every tool call: undefined once the assistant is gone, off, or no longer this caller's to use. */
  readonly currentAssistant: () => Promise<Assistant | undefined>;
  readonly startChild: (request: ChildRequest, run: PreparedRun) => Promise<ChildAnswer>;
}

/** Everything one run works with. */
export interface PreparedRun extends ChosenModel {
  readonly ctx: RunContext;
  /** The organisation's small fast model, if it has one. */
  readonly small: ConnectedModel | undefined;
  readonly processor: PromptProcessor;
  readonly deadline: Deadline;
  readonly trace: RunTrace;
  readonly conversation: OpenConversation | undefined;
  readonly parentRunId: string | undefined;
}

/** Past this share of its time a run may only answer. */
const NEARLY = 0.8;

export async function prepareRun(parts: RunParts, deps: RunDeps): Promise<PreparedRun> {
  const { assistant, caller, conversation, parentRunId } = parts;
  const { plugins, limits } = deps;
  const settings = await deps.settingsOf(assistant.organizationId);
  const chosen = chooseModel(assistant.setup, settings, plugins.connectors, deps.log);
  const processor = plugins.processors.get(assistant.setup.processor);
  if (!processor) {
    throw invalidConfiguration(
      `This assistant's prompt processor "${assistant.setup.processor}" is not installed.`,
    );
  }

  const deadline = createDeadline(parts.signal, limits.runTimeoutMs);
  const trace = createRunTrace();
  const facts = { caller, assistant, settings, signal: deadline.signal, log: deps.log };
  const ctx: RunContext = {
    ...facts,
    runId: parts.runId,
    around: { ...facts, ...surroundingsFor(assistant, deps) },
    chat: parts.chat,
    sampling: parts.sampling,
    limits,
    policy: deps.policy,
    models: deps.models,
    pictures: deps.picturesFor(caller, settings),
    trace,
    deadline: { nearlySpent: () => Date.now() - trace.startedAt.getTime() > limits.runTimeoutMs * NEARLY },
    askApproval: parts.mayAsk ? approvalsFor({ ...parts, signal: deadline.signal }, deps) : undefined,
    currentAssistant: parts.currentAssistant,
    startChild: (request) => parts.startChild(request, run),
    askModel: (question) => askForTool(question, chosen, ctx),
    audit: (denial) => {
      auditDenial(denial, parts, deps);
    },
  };
  const small = smallModel(settings, plugins.connectors);
  const run: PreparedRun = { ...chosen, small, ctx, processor, deadline, trace, conversation, parentRunId };
  return run;
}

/** What the tools of this assistant work with, whoever is chatting. */
function surroundingsFor(
  assistant: Assistant,
  deps: RunDeps,
): Omit<ToolSurroundings, 'caller' | 'assistant' | 'settings' | 'signal' | 'log'> {
  const { stores } = deps;
  return {
    fetch: deps.fetch,
    files: stores.files.ofOwner(assistant.ownerId),
    describeAssistant: async (id) => await stores.assistants.get(id),
    rubrics: { get: (id) => rubricFor(assistant, id, deps) },
  };
}

/** Asked again at every read: a rubric withdrawn is gone for the tool as well. */
async function rubricFor(assistant: Assistant, id: string, { policy, stores }: RunDeps) {
  const { allowed } = await policy.mayUse({ kind: 'rubric', id }, assistant);
  return allowed ? await stores.rubrics.get(id) : undefined;
}

/** Not awaited: the refusal stands whether or not it can be written down. */
function auditDenial(
  denial: { readonly action: string; readonly resource: string; readonly reason: string },
  { caller, runId }: RunParts,
  { stores, log }: RunDeps,
): void {
  stores.audit.record(denialOf(caller, { ...denial, runId })).catch(() => {
    log.error({ runId, ...denial }, 'denial could not be audited');
  });
}
