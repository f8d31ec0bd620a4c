import type { ClientTools } from '../../src/core/runs/handover.js';
import { openToolbox, type Toolbox } from '../gate/toolbox.js';
import type { MoodleFor } from '../../src/clients/moodle/access.js';
import type { AccessPolicy } from '../../src/core/access/access.js';
import { denialOf } from '../../src/core/access/audit.js';
import type { Caller } from '../../src/core/access/caller.js';
import type { ExamplesFor } from '../../src/core/assistants/annotation.js';
import type { Assistant } from '../../src/core/assistants/assistant.js';
import type { AttachmentIntake } from '../../src/core/attachments/attachment.js';
import { type MayServe, versionServed } from '../../src/core/assistants/served.js';
import type { BudgetedRun } from '../../src/core/budgets/budgeted-run.js';
import type { PricedModel, RunBudget } from '../../src/core/budgets/run-budget.js';
import type { AdmitRun, RunSlot } from '../../src/core/budgets/run-slot.js';
import type { McpServers } from '../../src/core/clients/mcp.js';
import { invalidConfiguration } from '../../src/core/errors.js';
import type { Logger } from '../../src/core/log.js';
import { type ChatMessage, lastUserText } from '../../src/core/message.js';
import { createToolSecrets } from '../../src/core/organizations/tool-secrets.js';
import type { Plugins } from '../../src/core/plugins.js';
import type { PromptProcessor } from '../../src/core/processor.js';
import {
  createDeadline,
  type Deadline,
  type Endable,
  fetchUntil,
  setDeadline,
} from '../../src/core/runs/deadline.js';
import type { MayAsk } from '../../src/core/runs/approval.js';
import type { Circuits } from '../../src/core/runs/circuit.js';
import type { Usage } from '../../src/core/runs/event.js';
import type { StepCost } from '../../src/core/runs/record.js';
import type { Sampling } from '../../src/core/runs/model-choice.js';
import type {
  ChildAnswer,
  ChildRequest,
  Knowledge,
  Limits,
  ModelTransport,
  Pictures,
  RunContext,
  RunFacts,
  Settings,
  ToolServices,
} from '../../src/core/runs/run-context.js';
import type { RunsUnderWay } from '../../src/core/runs/under-way.js';
import type { TellEnded } from '../../src/core/runs/telemetry.js';
import type { Stores } from '../../src/core/stores.js';
import { approvalsFor, askedLater } from '../gate/approvals.js';
import { askForTool } from '../gate/ask-for-tool.js';
import { reserveAhead } from '../gate/spend.js';
import { chooseModel, type ChosenModel, type ConnectedModel, smallModel } from '../models/choose-model.js';
import { progressIn, teachingRules } from '../prompt/teaching.js';
import type { OpenConversation } from './conversation.js';
import { mustNotCollide } from './handover/client-tools.js';
import type { Resumed } from './handover/resumed-run.js';
import { storedIdOf } from './stand-in-assistant.js';
import { createRunTrace, type RunTrace } from './trace.js';

export interface RunDeps {
  readonly stores: Stores;
  readonly policy: AccessPolicy;
  readonly plugins: Plugins;
  readonly settingsOf: (organizationId: number) => Promise<Settings>;
  readonly fetch: typeof fetch;
  /** Each organisation's sessions with other servers are its own. */
  readonly mcp: { of(organizationId: number): McpServers };
  readonly moodleFor: MoodleFor;
  readonly models: ModelTransport;
  readonly circuits: Circuits;
  readonly knowledgeFor: (run: RunFacts) => Knowledge;
  readonly picturesFor: (caller: Caller, settings: Settings) => Pictures;
  /** Shows what was read of somebody's file or rubric. */
  readonly linkToSource: (
    source: Parameters<ToolServices['linkTo']>[0] & {
      readonly ownerId: number;
      readonly assistantId: number;
    },
  ) => string;
  readonly limits: Limits;
  /** The budgets that a run spends; undefined where there is none. */
  readonly admitRun: AdmitRun;
  /** What a model call costs the organisation; undefined where it has set no price. */
  readonly costOf: (settings: Settings, model: PricedModel, usage: Usage) => StepCost | undefined;
  readonly budgetOf: (run: BudgetedRun) => Promise<RunBudget | undefined>;
  readonly log: Logger;
  readonly underWay: RunsUnderWay;
  /** For those who measure. */
  readonly runEnded: TellEnded;
  /** Whether an activity may be held to a version of an assistant that has to pass its scenarios. */
  readonly mayServe: MayServe;
  /** What must happen to an assistant before it is used: it may come back in another stored form. */
  readonly onAccess: (assistant: Assistant) => Promise<Assistant>;
  /** For files that come with a question. */
  readonly attachmentIntake: AttachmentIntake;
  readonly examplesFor: ExamplesFor;
}

/** What a client's run and a child run differ in. */
export interface RunParts {
  readonly runId: string;
  /** The run that asked for this one, if any. */
  readonly parent: RunBasis | undefined;
  /** One that is over, by its id, which this one belongs to. */
  readonly partOf?: string | undefined;
  readonly assistant: Assistant;
  readonly caller: Caller;
  readonly chat: readonly ChatMessage[];
  readonly sampling: Sampling;
  readonly signal: AbortSignal;
  readonly end?: Endable['end'] | undefined;
  readonly conversation: OpenConversation | undefined;
  /** What the client brings of its own. */
  readonly client?: ClientTools | undefined;
  /** Where it goes on from, when it has begun before. */
  readonly resumed?: Resumed | undefined;
  /** Whether whoever is chatting sees what the run tells, and so can be asked to approve a call. */
  readonly mayAsk: MayAsk;
  /** What the client wants it traced as a part of. */
  readonly traceparent?: string | undefined;
  /** Read anew at every tool call: undefined once the assistant is gone, off, or no longer this caller's to use. */
  readonly currentAssistant: () => Promise<Assistant | undefined>;
  readonly startChild: (request: ChildRequest, run: RunBasis) => Promise<ChildAnswer>;
}

/** What every run has, also that of a single tool. */
export interface RunBasis {
  readonly ctx: RunContext;
  readonly deadline: Deadline;
  readonly trace: RunTrace;
  readonly conversation: OpenConversation | undefined;
  readonly parent: RunBasis | undefined;
  readonly partOf?: string | undefined;
  /** Its place among those that go on at the same time, where they are limited. */
  readonly slot?: RunSlot | undefined;
  readonly traceparent?: string | undefined;
}

/** Everything one run of an assistant works with. */
export interface PreparedRun extends RunBasis, ChosenModel {
  /** The organisation's small fast model, if it has one. */
  readonly small: ConnectedModel | undefined;
  readonly processor: PromptProcessor;
  /** What the service tells the model of how to teach, as far as this conversation has come. */
  readonly teaching?: string | undefined;
  readonly client?: ClientTools | undefined;
  readonly resumed?: Resumed | undefined;
  /** Laid out already, where that had to be looked at before anything is told. */
  readonly toolbox?: Toolbox | undefined;
}

/** Past this share of its time a run may only answer. */
const NEARLY = 0.8;

export async function prepareRun(parts: RunParts, deps: RunDeps): Promise<PreparedRun> {
  const { assistant } = parts;
  const { plugins } = deps;
  const settings = await deps.settingsOf(assistant.organizationId);
  const chosen = chooseModel(assistant.setup, settings, plugins.connectors, deps.log);
  const processor = plugins.processors.get(assistant.setup.processor);
  if (!processor) {
    throw invalidConfiguration(
      `This assistant's prompt processor "${assistant.setup.processor}" is not installed.`,
    );
  }
  const slot = parts.parent ? undefined : await admit(parts, settings, deps);
  try {
    const budget = await budgetFor(parts, settings, deps);
    const examples = deps.examplesFor(assistant);
    const chat = examples ? await withExamples(parts, examples) : parts.chat;
    const basis = beginRun({ ...parts, chat }, { settings, budget, model: () => chosen }, deps);
    const { ctx, deadline, trace, conversation, parent, traceparent } = basis;
    const { connector, model, fallback } = chosen;
    const small = smallModel(settings, plugins.connectors);
    const { client, resumed } = parts;
    const toolbox = await admitWishes({ client, chosen, ctx }, plugins).catch((fault: unknown) => {
      deadline.dispose();
      throw fault;
    });
    return {
      ...{ ctx, deadline, trace, conversation, parent, slot, connector, model, fallback, small, processor },
      ...{ client, resumed, toolbox, traceparent, teaching: teachingFor(parts) },
    };
  } catch (fault) {
    await slot?.giveBack();
    throw fault;
  }
}

function teachingFor({ assistant, chat, conversation, parent }: RunParts): string | undefined {
  const { pedagogy } = assistant.setup;
  if (!pedagogy) return undefined;
  return teachingRules(pedagogy, parent ? undefined : progressIn(chat, conversation !== undefined));
}

/** Before all that is said: an example is how to answer, and no part of the talk. */
async function withExamples(
  { chat, resumed }: RunParts,
  examplesFor: NonNullable<ReturnType<ExamplesFor>>,
): Promise<readonly ChatMessage[]> {
  // One that goes on has read them when it began.
  const examples = resumed ? undefined : await examplesFor(lastUserText(chat));
  return examples === undefined ? chat : [{ role: 'system', content: examples }, ...chat];
}

/** What may still be refused of a run that has begun; nothing is set aside for one that is. */
async function admitWishes(
  {
    client,
    chosen,
    ctx,
  }: Pick<RunParts, 'client'> & { readonly chosen: ChosenModel; readonly ctx: RunContext },
  { tools }: Plugins,
): Promise<Toolbox | undefined> {
  const toolbox = client && (await openToolbox(tools, ctx));
  if (client && toolbox) mustNotCollide(client, toolbox);
  const reserving = reserveAhead(chosen, ctx);
  if (reserving) await reserving;
  return toolbox;
}

/** Those that a run starts go on in its place. */
function admit({ runId, caller, assistant, signal }: RunParts, { limits }: Settings, { admitRun }: RunDeps) {
  const { organizationId } = assistant;
  return admitRun({ runId, organizationId, userId: caller.userId, limits, signal });
}

export function budgetFor(
  {
    runId,
    caller,
    assistant,
    parent,
    partOf,
    resumed,
  }: Pick<RunParts, 'runId' | 'caller' | 'assistant' | 'parent' | 'partOf' | 'resumed'>,
  settings: Settings,
  { budgetOf }: Pick<RunDeps, 'budgetOf'>,
): Promise<RunBudget | undefined> {
  const { organizationId } = assistant;
  // One that goes on has been counted when it began.
  const isChild = parent !== undefined || partOf !== undefined || resumed !== undefined;
  return budgetOf({ runId, caller, organizationId, assistantId: storedIdOf(assistant), settings, isChild });
}

/** What a run has from the start. */
interface RunMeans {
  readonly settings: Settings;
  readonly budget: RunBudget | undefined;
  /** Asked for when a tool wants one. */
  readonly model: () => ChosenModel;
}

/** From here on the run's time counts. */
export function beginRun(parts: RunParts, { settings, budget, model }: RunMeans, deps: RunDeps): RunBasis {
  const { assistant, caller, conversation, parent, partOf, traceparent } = parts;
  const { limits } = deps;
  const { end } = parts;
  const deadline = end
    ? setDeadline({ signal: parts.signal, end }, limits.runTimeoutMs)
    : createDeadline(parts.signal, limits.runTimeoutMs);
  const trace = createRunTrace();
  const { signal } = deadline;
  const { log } = deps;
  let around: ToolServices | undefined;
  const ctx: RunContext = {
    caller,
    assistant,
    settings,
    signal,
    log,
    runId: parts.runId,
    toolServices: () => (around ??= surroundingsFor({ caller, assistant, settings, signal, log }, deps)),
    chat: parts.chat,
    sampling: parts.sampling,
    limits,
    policy: deps.policy,
    models: deps.models,
    circuits: deps.circuits,
    pictures: deps.picturesFor(caller, settings),
    trace,
    kept: new Map(),
    budget,
    deadline: { nearlySpent: () => Date.now() - trace.startedAt.getTime() > limits.runTimeoutMs * NEARLY },
    askApproval: askApproval(parts, signal, deps),
    currentAssistant: parts.currentAssistant,
    startChild: (request) => parts.startChild(request, basis),
    askModel: async (question) => await askForTool(question, model(), ctx),
    askSmallModel: async (question) => {
      const small = smallModel(settings, deps.plugins.connectors);
      return small && (await askForTool(question, small, ctx));
    },
    audit: (denial) => {
      auditDenial(denial, parts, deps);
    },
  };
  const basis: RunBasis = { ctx, deadline, trace, conversation, parent, partOf, traceparent };
  return basis;
}

function askApproval({ mayAsk, runId, caller }: RunParts, signal: AbortSignal, deps: RunDeps) {
  if (mayAsk === 'later') return askedLater;
  return mayAsk ? approvalsFor({ runId, caller, signal }, deps) : undefined;
}

/** What the tools of this assistant work with. */
function surroundingsFor(facts: RunFacts, deps: RunDeps): ToolServices {
  const { assistant, settings, signal } = facts;
  const { stores } = deps;
  return {
    ...facts,
    fetch: fetchUntil(deps.fetch, signal),
    secrets: createToolSecrets(settings.secrets),
    mcp: deps.mcp.of(assistant.organizationId),
    files: stores.files.ofOwner(assistant.ownerId),
    describeAssistant: async (id) => await describe(id, deps),
    rubrics: { get: (id) => rubricFor(assistant, id, deps) },
    linkTo: (source) =>
      deps.linkToSource({ ...source, ownerId: assistant.ownerId, assistantId: storedIdOf(assistant) ?? 0 }),
    moodle: deps.moodleFor(facts),
    knowledge: deps.knowledgeFor(facts),
  };
}

/** As it answers when it is asked by another. */
async function describe(id: number, { stores }: RunDeps) {
  const newest = await stores.assistants.get(id);
  return newest && (await versionServed(newest, stores.assistants));
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
