import type { Usage } from '../../src/core/event.js';
import type { RunRecord, RunStatus, RunStep } from '../../src/core/run-record.js';
import type { Timestamp } from '../../src/core/stores.js';
import { storable, storableOrNull, wholeNumber } from '../column-values.js';

export interface RunRow {
  readonly id: string;
  readonly parent_run_id: string | null;
  readonly conversation_id: string | null;
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
  readonly child_run_id: string | null;
  /** JSON. */
  readonly detail: string | null;
}

export function runRow(run: RunRecord): RunRow {
  return {
    id: storable(run.id),
    parent_run_id: storableOrNull(run.parentRunId),
    conversation_id: storableOrNull(run.conversationId),
    assistant_id: run.assistantId ?? null,
    assistant_version: run.assistantVersion,
    organization_id: run.organizationId,
    user_id: run.userId,
    via: run.via,
    status: run.status,
    error_code: storableOrNull(run.errorCode),
    started_at: run.startedAt,
    ms: wholeNumber(run.ms),
    iterations: wholeNumber(run.iterations),
    capped: run.capped,
    ...usageColumns(run.usage),
  };
}

export function stepRows(run: RunRecord): readonly StepRow[] {
  return run.steps.map((step, position) => ({
    run_id: storable(run.id),
    position,
    kind: step.kind,
    tool: storableOrNull(step.tool),
    ok: step.ok,
    started_at: step.startedAt,
    ms: wholeNumber(step.ms),
    iteration: wholeNumber(step.iteration),
    input_chars: wholeNumber(step.input.chars),
    input_sha256: step.input.sha256,
    output_chars: wholeNumber(step.output.chars),
    output_sha256: step.output.sha256,
    connector: storableOrNull(step.connector),
    model: storableOrNull(step.model),
    ...(step.usage ? usageColumns(step.usage) : NO_USAGE_COLUMNS),
    child_run_id: storableOrNull(step.childRunId),
    detail: step.detail ? JSON.stringify(step.detail) : null,
  }));
}

const NO_USAGE_COLUMNS = { prompt_tokens: null, completion_tokens: null, estimated: null };

function usageColumns({ promptTokens, completionTokens, estimated = false }: Usage) {
  return {
    prompt_tokens: wholeNumber(promptTokens),
    completion_tokens: wholeNumber(completionTokens),
    estimated,
  };
}

function toUsage(promptTokens: number, completionTokens: number, estimated: boolean | number | null): Usage {
  return { promptTokens, completionTokens, ...(estimated ? { estimated: true } : {}) };
}

/** One row for each call of a model; a child run books its own. */
export function ledgerRows(run: RunRecord): readonly object[] {
  return run.steps.flatMap(({ kind, usage, connector, model, startedAt }) =>
    kind === 'model' && usage
      ? {
          run_id: storable(run.id),
          organization_id: run.organizationId,
          user_id: run.userId,
          assistant_id: run.assistantId ?? null,
          connector: storableOrNull(connector),
          model: storableOrNull(model),
          ...usageColumns(usage),
          created_at: startedAt,
        }
      : [],
  );
}

export function toRun(row: RunRow, steps: readonly StepRow[]): RunRecord {
  return {
    id: row.id,
    parentRunId: row.parent_run_id ?? undefined,
    assistantId: row.assistant_id ?? undefined,
    assistantVersion: row.assistant_version,
    organizationId: row.organization_id,
    userId: row.user_id,
    via: row.via,
    conversationId: row.conversation_id ?? undefined,
    status: row.status,
    errorCode: row.error_code ?? undefined,
    startedAt: row.started_at,
    ms: row.ms,
    iterations: row.iterations,
    capped: Boolean(row.capped),
    usage: toUsage(row.prompt_tokens, row.completion_tokens, row.estimated),
    steps: steps.map(toStep),
  };
}

function toStep(row: StepRow): RunStep {
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
      usage: toUsage(row.prompt_tokens, row.completion_tokens ?? 0, row.estimated),
    }),
    ...(row.child_run_id !== null && { childRunId: row.child_run_id }),
    ...(row.detail !== null && { detail: JSON.parse(row.detail) as Record<string, string | number> }),
  };
}
