import type { RunRecord, RunStep } from '../core/runs/record.js';
import { type EndedRun, outcomeOf } from '../core/runs/telemetry.js';

/** Semantic conventions for generative AI, of this version: https://opentelemetry.io/docs/specs/semconv/gen-ai/ */
export const CONVENTIONS = 'https://opentelemetry.io/schemas/1.41.0';

/** A span as it will be sent. It tells what was done and how long it took, and nothing of what was said. */
export interface PlannedSpan {
  readonly name: string;
  /** Whether another service did it. */
  readonly isRemote: boolean;
  readonly startedAt: Date;
  readonly ms: number;
  readonly attributes: Readonly<Record<string, string | number>>;
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
  const model = record.steps.find(({ kind }) => kind === 'model');
  const { promptTokens, completionTokens } = record.usage;
  const run = {
    name: 'invoke_agent',
    isRemote: false,
    startedAt: new Date(record.startedAt),
    ms: record.ms,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': String(record.assistantId),
      ...(model ? modelFacts(model, deps) : {}),
      'gen_ai.usage.input_tokens': promptTokens,
      'gen_ai.usage.output_tokens': completionTokens,
      'bellwether.assistant.version': record.assistantVersion,
      'bellwether.run.id': record.id,
      'bellwether.run.status': outcomeOf(record),
    },
    failure: record.status === 'completed' ? undefined : (record.errorCode ?? record.status),
    children,
  };
  return [run];
}

/** A model that a tool asked stands below the call of that tool. */
function stepsOf({ steps }: RunRecord, deps: SpanDeps): readonly PlannedSpan[] {
  const isCall = ({ kind }: RunStep) => kind !== 'model';
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
  const { tool = 'unknown', ok, denied, childRunId } = step;
  const runs = childRunId === undefined ? [] : deps.childrenOf(childRunId);
  return {
    ...timeOf(step),
    name: `execute_tool ${tool}`,
    isRemote: false,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.type': 'function',
    },
    failure: ok ? undefined : denied ? 'denied' : 'tool_failed',
    children: [...asked.map((one) => modelSpan(one, deps)), ...runs.flatMap((run) => spansOf(run, deps))],
  };
}

function modelSpan(step: RunStep, deps: SpanDeps): PlannedSpan {
  const { model = '', ok, usage, detail } = step;
  const operation = detail?.purpose === 'rerank' ? 'rerank' : 'chat';
  return {
    ...timeOf(step),
    name: `${operation} ${model}`.trimEnd(),
    isRemote: true,
    attributes: {
      'gen_ai.operation.name': operation,
      ...modelFacts(step, deps),
      'gen_ai.usage.input_tokens': usage?.promptTokens ?? 0,
      'gen_ai.usage.output_tokens': usage?.completionTokens ?? 0,
      ...(usage?.cachedTokens ? { 'gen_ai.usage.cache_read.input_tokens': usage.cachedTokens } : {}),
    },
    // `_OTHER` is what the conventions have for what is not known more exactly.
    failure: ok ? undefined : '_OTHER',
    children: [],
  };
}

/** Where the conventions have another name for a provider than we do. */
const PROVIDERS: Readonly<Record<string, string>> = {
  azure_openai: 'azure.ai.openai',
  google: 'gcp.gemini',
};

function modelFacts({ connector = '', model = '' }: RunStep, { providerOf }: SpanDeps) {
  const provider = providerOf(connector);
  return { 'gen_ai.provider.name': PROVIDERS[provider] ?? provider, 'gen_ai.request.model': model };
}

const timeOf = ({ startedAt, ms }: RunStep) => ({ startedAt: new Date(startedAt), ms });
