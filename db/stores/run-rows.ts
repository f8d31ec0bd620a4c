import type { Capped, ToolFacts, Usage } from '../../src/core/runs/event.js';
import type { RunRecord, RunStatus, RunStep } from '../../src/core/runs/record.js';
import type { Timestamp } from '../../src/core/stores.js';
import type { Field } from '../query/prepared.js';
import { wholeNumber } from '../query/values.js';

export interface RunRow {
  readonly id: string;
  readonly parent_run_id: string | null;
  readonly conversation_id: string | null;
  readonly activity_id: number | null;
  readonly assistant_id: number | null;
  readonly assistant_version: number;
  readonly organization_id: number;
  readonly user_id: number;
  readonly via: string;
  readonly status: RunStatus;
  readonly error_code: string | null;
  readonly started_at: Timestamp;
  readonly ms: number;
  readonly iterations: number;
  readonly capped: boolean | number;
  readonly capped_by: Exclude<Capped, false> | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly estimated: boolean | number;
}

export interface StepRow {
  readonly run_id: string;
  readonly position: number;
  readonly kind: RunStep['kind'];
  readonly tool: string | null;
  readonly ok: boolean | number;
  readonly started_at: Timestamp;
  readonly ms: number;
  readonly iteration: number;
  readonly input_chars: number;
  readonly input_sha256: string;
  readonly output_chars: number;
  readonly output_sha256: string;
  readonly connector: string | null;
  readonly model: string | null;
  readonly prompt_tokens: number | null;
  readonly completion_tokens: number | null;
  readonly estimated: boolean | number | null;
  readonly cached_tokens: number | null;
  readonly reasoning_tokens: number | null;
  readonly cost: number | string | null;
  readonly currency: string | null;
  readonly child_run_id: string | null;
  /** JSON. */
  readonly detail: string | null;
  /** JSON. */
  readonly facts: string | null;
}

export const RUN_FIELDS: readonly Field<RunRecord>[] = [
  { column: 'id', type: 'text', value: (run) => run.id },
  { column: 'parent_run_id', type: 'text', value: (run) => run.parentRunId },
  { column: 'conversation_id', type: 'text', value: (run) => run.conversationId },
  { column: 'activity_id', type: 'integer', value: (run) => run.activityId },
  { column: 'assistant_id', type: 'integer', value: (run) => run.assistantId },
  { column: 'assistant_version', type: 'integer', value: (run) => run.assistantVersion },
  { column: 'organization_id', type: 'integer', value: (run) => run.organizationId },
  { column: 'user_id', type: 'integer', value: (run) => run.userId },
  { column: 'via', type: 'text', value: (run) => run.via },
  { column: 'status', type: 'text', value: (run) => run.status },
  { column: 'error_code', type: 'text', value: (run) => run.errorCode },
  { column: 'started_at', type: 'text', value: (run) => run.startedAt },
  { column: 'ms', type: 'integer', value: (run) => wholeNumber(run.ms) },
  { column: 'iterations', type: 'integer', value: (run) => wholeNumber(run.iterations) },
  { column: 'capped', type: 'boolean', value: (run) => run.capped !== false },
  { column: 'capped_by', type: 'text', value: (run) => (run.capped === false ? null : run.capped) },
  { column: 'prompt_tokens', type: 'integer', value: (run) => wholeNumber(run.usage.promptTokens) },
  { column: 'completion_tokens', type: 'integer', value: (run) => wholeNumber(run.usage.completionTokens) },
  { column: 'estimated', type: 'boolean', value: (run) => run.usage.estimated ?? false },
];

/** Without the run and the position, which the place in the record tells. */
export const STEP_FIELDS: readonly Field<RunStep>[] = [
  { column: 'kind', type: 'text', value: (step) => step.kind },
  { column: 'tool', type: 'text', value: (step) => step.tool },
  { column: 'ok', type: 'boolean', value: (step) => step.ok },
  { column: 'started_at', type: 'text', value: (step) => step.startedAt },
  { column: 'ms', type: 'integer', value: (step) => wholeNumber(step.ms) },
  { column: 'iteration', type: 'integer', value: (step) => wholeNumber(step.iteration) },
  { column: 'input_chars', type: 'integer', value: (step) => wholeNumber(step.input.chars) },
  { column: 'input_sha256', type: 'text', value: (step) => step.input.sha256 },
  { column: 'output_chars', type: 'integer', value: (step) => wholeNumber(step.output.chars) },
  { column: 'output_sha256', type: 'text', value: (step) => step.output.sha256 },
  { column: 'connector', type: 'text', value: (step) => step.connector },
  { column: 'model', type: 'text', value: (step) => step.model },
  {
    column: 'prompt_tokens',
    type: 'integer',
    value: ({ usage }) => usage && wholeNumber(usage.promptTokens),
  },
  {
    column: 'completion_tokens',
    type: 'integer',
    value: ({ usage }) => usage && wholeNumber(usage.completionTokens),
  },
  { column: 'estimated', type: 'boolean', value: ({ usage }) => usage && (usage.estimated ?? false) },
  { column: 'cached_tokens', type: 'integer', value: ({ usage }) => tokens(usage?.cachedTokens) },
  { column: 'reasoning_tokens', type: 'integer', value: ({ usage }) => tokens(usage?.reasoningTokens) },
  { column: 'cost', type: 'bigint', value: ({ cost }) => cost?.amount },
  { column: 'currency', type: 'text', value: ({ cost }) => cost?.currency },
  { column: 'child_run_id', type: 'text', value: (step) => step.childRunId },
  { column: 'detail', type: 'text', value: ({ detail }) => detail && JSON.stringify(detail) },
  { column: 'facts', type: 'text', value: ({ facts }) => facts && JSON.stringify(facts) },
];

const tokens = (count: number | undefined) => count && wholeNumber(count);

function toUsage(promptTokens: number, completionTokens: number, estimated: boolean | number | null): Usage {
  return { promptTokens, completionTokens, ...(estimated ? { estimated: true } : {}) };
}

export function toRun(row: RunRow, steps: readonly RunStep[]): RunRecord {
  return {
    id: row.id,
    parentRunId: row.parent_run_id ?? undefined,
    assistantId: row.assistant_id ?? undefined,
    assistantVersion: row.assistant_version,
    organizationId: row.organization_id,
    userId: row.user_id,
    via: row.via,
    conversationId: row.conversation_id ?? undefined,
    activityId: row.activity_id ?? undefined,
    status: row.status,
    errorCode: row.error_code ?? undefined,
    startedAt: row.started_at,
    ms: row.ms,
    iterations: row.iterations,
    // Until it was told what did it, it was nearly always the rounds.
    capped: row.capped ? (row.capped_by ?? 'rounds') : false,
    usage: toUsage(row.prompt_tokens, row.completion_tokens, row.estimated),
    steps,
  };
}

export function toStep(row: StepRow): RunStep {
  return {
    kind: row.kind,
    ok: Boolean(row.ok),
    startedAt: row.started_at,
    ms: row.ms,
    iteration: row.iteration,
    input: { chars: row.input_chars, sha256: row.input_sha256 },
    output: { chars: row.output_chars, sha256: row.output_sha256 },
    ...(row.tool !== null && { tool: row.tool }),
    ...(row.connector !== null && { connector: row.connector }),
    ...(row.model !== null && { model: row.model }),
    ...(row.prompt_tokens !== null && {
      usage: {
        ...toUsage(row.prompt_tokens, row.completion_tokens ?? 0, row.estimated),
        ...(row.cached_tokens !== null && { cachedTokens: row.cached_tokens }),
        ...(row.reasoning_tokens !== null && { reasoningTokens: row.reasoning_tokens }),
      },
    }),
    ...(row.cost !== null &&
      row.currency !== null && { cost: { amount: Number(row.cost), currency: row.currency } }),
    ...(row.child_run_id !== null && { childRunId: row.child_run_id }),
    ...(row.detail !== null && { detail: JSON.parse(row.detail) as Record<string, string | number> }),
    ...(row.facts !== null && { facts: JSON.parse(row.facts) as ToolFacts }),
  };
}
