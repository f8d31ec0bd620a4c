import type { RunRecord, RunStep } from '../core/runs/record.js';
import { type EndedRun, outcomeOf } from '../core/runs/telemetry.js';

/** Semantic conventions for generative AI, of this version: https://opentelemetry.io/docs/specs/semconv/gen-ai/ */
export const CONVENTIONS = 'https://opentelemetry.io/schemas/1.41.0';

/** Filled one by one: put together from parts, they were a third of what tracing costs. */
type Attributes = Record<string, string | number>;

/** A span as it will be sent. It tells what was done and how long it took, and nothing of what was said. */
export interface PlannedSpan {
  readonly name: string;
  /** Whether another service did it. */
  readonly isRemote: boolean;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  readonly ms: number;
  readonly attributes: Attributes;
  /** What kind of failure it was. */
  readonly failure: string | undefined;
  readonly children: readonly PlannedSpan[];
}

export interface SpanDeps {
  /** The runs that this one asked for. */
  readonly childrenOf: (runId: string) => readonly EndedRun[];
  /** The provider whom a connector asks. */
  readonly providerOf: (connector: string) => string;
}

/** A run, its calls of models and tools, and the runs that these asked for. */
export function spansOf({ record }: EndedRun, deps: SpanDeps): readonly PlannedSpan[] {
  const children = stepsOf(record, deps);
  // A tool that somebody runs by itself, and a picture that is described, have no agent around them.
  if (record.assistantId === undefined) return children;
  const { promptTokens, completionTokens } = record.usage;
  const failure = record.status === 'completed' ? undefined : (record.errorCode ?? record.status);
  const attributes = attributesOf('invoke_agent', failure);
  attributes['gen_ai.agent.id'] = String(record.assistantId);
  const model = record.steps.find(({ kind }) => kind === 'model');
  if (model) tellModel(attributes, model, deps);
  attributes['gen_ai.usage.input_tokens'] = promptTokens;
  attributes['gen_ai.usage.output_tokens'] = completionTokens;
  attributes['bellwether.assistant.version'] = record.assistantVersion;
  attributes['bellwether.run.id'] = record.id;
  attributes['bellwether.run.status'] = outcomeOf(record);
  const startedAt = Date.parse(record.startedAt);
  return [{ name: 'invoke_agent', isRemote: false, startedAt, ms: record.ms, attributes, failure, children }];
}

/** A model that a tool asked stands below the call of that tool. */
function stepsOf({ steps }: RunRecord, deps: SpanDeps): readonly PlannedSpan[] {
  const isCall = ({ kind }: RunStep) => kind !== 'model';
  if (!steps.some(isCall)) return steps.map((step) => modelSpan(step, deps));
  const calls = new Set(steps.filter(isCall).map(({ callId }) => callId));
  return steps.flatMap((step) => {
    if (isCall(step)) {
      const asked = steps.filter((one) => !isCall(one) && one.callId === step.callId);
      return [toolSpan(step, asked, deps)];
    }
    return step.callId !== undefined && calls.has(step.callId) ? [] : [modelSpan(step, deps)];
  });
}

function toolSpan(step: RunStep, asked: readonly RunStep[], deps: SpanDeps): PlannedSpan {
  const { tool = 'unknown', ok, denied, childRunId, ms } = step;
  const runs = childRunId === undefined ? [] : deps.childrenOf(childRunId);
  const failure = ok ? undefined : denied ? 'denied' : 'tool_failed';
  const attributes = attributesOf('execute_tool', failure);
  attributes['gen_ai.tool.name'] = short(tool);
  attributes['gen_ai.tool.type'] = 'function';
  const startedAt = Date.parse(step.startedAt);
  const children = [
    ...asked.map((one) => modelSpan(one, deps)),
    ...runs.flatMap((run) => spansOf(run, deps)),
  ];
  return { name: `execute_tool ${tool}`, isRemote: false, startedAt, ms, attributes, failure, children };
}

const NONE: readonly PlannedSpan[] = [];

function modelSpan(step: RunStep, deps: SpanDeps): PlannedSpan {
  const { model = '', ok, usage, detail, ms } = step;
  const operation = detail?.purpose === 'rerank' ? 'rerank' : 'chat';
  // `_OTHER` is what the conventions have for what is not known more exactly.
  const failure = ok ? undefined : '_OTHER';
  const attributes = attributesOf(operation, failure);
  tellModel(attributes, step, deps);
  attributes['gen_ai.usage.input_tokens'] = usage?.promptTokens ?? 0;
  attributes['gen_ai.usage.output_tokens'] = usage?.completionTokens ?? 0;
  if (usage?.cachedTokens) attributes['gen_ai.usage.cache_read.input_tokens'] = usage.cachedTokens;
  const name = `${operation} ${model}`.trimEnd();
  return {
    name,
    isRemote: true,
    startedAt: Date.parse(step.startedAt),
    ms,
    attributes,
    failure,
    children: NONE,
  };
}

function attributesOf(operation: string, failure: string | undefined): Attributes {
  const attributes: Attributes = { 'gen_ai.operation.name': operation };
  if (failure !== undefined) attributes['error.type'] = failure;
  return attributes;
}

/** Where the conventions have another name for a provider than we do. */
const PROVIDERS: Readonly<Record<string, string>> = {
  azure_openai: 'azure.ai.openai',
  google: 'gcp.gemini',
};

function tellModel(attributes: Attributes, { connector = '', model = '' }: RunStep, deps: SpanDeps): void {
  const provider = deps.providerOf(connector);
  attributes['gen_ai.provider.name'] = PROVIDERS[provider] ?? provider;
  attributes['gen_ai.request.model'] = short(model);
}

/** Longer than the names of tools and models are. */
const LONGEST_VALUE = 256;

const short = (value: string) => (value.length <= LONGEST_VALUE ? value : value.slice(0, LONGEST_VALUE));
