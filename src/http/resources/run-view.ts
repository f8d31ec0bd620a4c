import type { Usage } from '../../core/runs/event.js';
import type { Fingerprint, RunRecord, RunStep } from '../../core/runs/record.js';
import type { NamedAssistant } from '../../core/stores.js';
import type { Prices } from '../../organizations/pricing.js';
import { type ChildSteps, costOfRun, costOfStep } from '../../organizations/run-cost.js';

/** One run and what is known around it, for one reader. */
export interface RunView {
  readonly run: RunRecord;
  readonly assistant: NamedAssistant | undefined;
  readonly children: ChildSteps;
  readonly prices: Prices;
  readonly isOwn: boolean;
  /** Their own, or of an organisation they look after. The owner of an assistant does not learn who uses it. */
  readonly mayKnowWho: boolean;
}

export function showRun({ run, assistant, children, prices, isOwn, mayKnowWho }: RunView) {
  return {
    id: run.id,
    parent_run_id: run.parentRunId ?? null,
    assistant_id: run.assistantId ?? null,
    assistant_name: assistant && !assistant.isDeleted ? assistant.name : null,
    version: run.assistantId === undefined ? null : run.assistantVersion,
    caller: { user_id: mayKnowWho ? run.userId : null, via: run.via },
    own: isOwn,
    // It would tell which runs are the same person's.
    conversation_id: (mayKnowWho ? run.conversationId : undefined) ?? null,
    started_at: run.startedAt,
    ms: run.ms,
    status: run.status,
    error_code: run.errorCode ?? null,
    iterations: run.iterations,
    capped: run.capped,
    model: run.steps.findLast(({ kind }) => kind === 'model')?.model ?? null,
    usage: showUsage(run.usage),
    cost: costOfRun(run, children, prices),
    currency: prices.currency,
  };
}

export function showRunWithSteps(view: RunView) {
  const start = Date.parse(view.run.startedAt);
  return { ...showRun(view), steps: view.run.steps.map((step) => showStep(step, start, view)) };
}

function showStep(step: RunStep, start: number, { children, prices, mayKnowWho }: RunView) {
  const show = (print: Fingerprint) => (mayKnowWho ? print : withoutPrint(print));
  return {
    kind: step.kind,
    ...(step.tool === undefined ? {} : { tool: step.tool }),
    ...(step.model === undefined ? {} : { connector: step.connector, model: step.model }),
    ok: step.ok,
    started_at: step.startedAt,
    at: Math.max(0, Date.parse(step.startedAt) - start),
    ms: step.ms,
    iteration: step.iteration,
    input: show(step.input),
    output: show(step.output),
    cost: costOfStep(step, children, prices) ?? null,
    ...(step.usage === undefined ? {} : { usage: showUsage(step.usage) }),
    ...(step.childRunId === undefined ? {} : { child_run_id: step.childRunId }),
    ...(step.detail === undefined ? {} : { detail: step.detail }),
    ...(step.facts === undefined ? {} : { facts: step.facts }),
  };
}

/** By its fingerprint, a guess at what somebody wrote could be tried out. */
function withoutPrint({ chars }: Fingerprint) {
  return { chars };
}

function showUsage({ promptTokens, completionTokens, estimated }: Usage) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    ...(estimated ? { estimated } : {}),
  };
}
