import type { BudgetSettlement } from '../../src/core/budgets/budget.js';
import { AppError, unavailable } from '../../src/core/errors.js';
import { errorLocation } from '../../src/core/log.js';
import type { AnswerDetails } from '../../src/core/runs/conversation.js';
import type { CitedSource, Ending } from '../../src/core/runs/event.js';
import type { RunRecord, RunStatus, RunStep } from '../../src/core/runs/record.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import type { RunStart } from '../../src/core/runs/under-way.js';
import { newestResults } from '../gate/memory/remember.js';
import type { Resumed } from './handover/resumed-run.js';
import type { PreparedRun, RunBasis, RunDeps } from './prepare.js';
import { storedIdOf } from './stand-in-assistant.js';

interface Outcome {
  readonly answer: string;
  readonly ending: Ending | undefined;
  readonly fault: unknown;
  readonly sources?: readonly CitedSource[];
}

/** To be called when a run that `recordRun` will end begins: until then it is one that may be interrupted. */
export function runBegan(run: RunBasis, { underWay }: Pick<RunDeps, 'underWay'>): void {
  underWay.begun(startOf(run));
}

function startOf({ ctx, trace, conversation, parent, partOf }: RunBasis): RunStart {
  return {
    id: ctx.runId,
    parentRunId: parent?.ctx.runId ?? partOf,
    assistantId: storedIdOf(ctx.assistant),
    assistantVersion: ctx.assistant.version,
    organizationId: ctx.assistant.organizationId,
    userId: ctx.caller.userId,
    via: ctx.caller.via,
    conversationId: conversation?.id,
    activityId: ctx.caller.launch?.activityId,
    startedAt: trace.startedAt.toISOString(),
  };
}

/** Writes the run, its cost and its conversation. A run that ended well and cannot be written down has failed. */
export async function recordRun(
  run: RunBasis & Pick<PreparedRun, 'resumed'>,
  { answer, ending, fault, sources = [] }: Outcome,
  deps: RunDeps,
): Promise<void> {
  const { ctx, trace, conversation, resumed, traceparent } = run;
  const status = statusOf(run, ending);
  const start = startOf(run);
  // Written out: V8 11 looks up each field after a spread anew, every time, which took 1.5 % of a chat.
  const record: RunRecord = {
    id: start.id,
    parentRunId: start.parentRunId,
    assistantId: start.assistantId,
    assistantVersion: start.assistantVersion,
    organizationId: start.organizationId,
    userId: start.userId,
    via: start.via,
    conversationId: start.conversationId,
    activityId: start.activityId,
    startedAt: start.startedAt,
    status,
    errorCode: fault instanceof AppError ? fault.code : fault === undefined ? undefined : 'internal_error',
    ms: Date.now() - trace.startedAt.getTime(),
    iterations: ending?.iterations ?? trace.iterations(),
    capped: ending?.capped ?? false,
    usage: trace.usage(),
    steps: trace.steps().map((step) => priced(step, ctx, deps)),
    settlements: settlementsOf(run),
  };
  const written = await Promise.allSettled([
    resumed ? deps.stores.runs.extend(record) : deps.stores.runs.record(record),
    resumed && settleHandover(resumed, ending, deps),
    conversation?.keep({
      ...{ text: answer, runId: ctx.runId, incomplete: ending === undefined },
      details: { sources, steps: trace.shown(), ...remembered(run), ...cutShort(ending) },
    }),
    ...trace.owed(),
  ]);
  run.slot?.released();
  deps.underWay.ended(ctx.runId, written[0].status === 'fulfilled');
  if (written[0].status === 'fulfilled') ctx.budget?.booked();
  const failures = written.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  for (const failure of failures) {
    ctx.log.error({ runId: ctx.runId, fault: errorLocation(failure) }, 'run could not be recorded');
  }
  if (fault !== undefined && !(fault instanceof AppError)) {
    ctx.log.error({ runId: ctx.runId, fault: errorLocation(fault) }, 'run failed');
  }
  const { assistantId, assistantVersion, errorCode, ms, iterations, usage } = record;
  ctx.log.info(
    { runId: ctx.runId, assistantId, assistantVersion, status, errorCode, ms, iterations, ...usage },
    'run ended',
  );
  const lost = failures.find((failure) => !isOfPerson(failure));
  deps.runEnded({
    record: ending && lost !== undefined ? { ...record, status: 'failed' } : record,
    firstTextMs: trace.firstTextMs(),
    isHandedOver: ending?.calls !== undefined,
    traceparent,
  });
  // What has failed before tells its own reason.
  if (ending && lost !== undefined) throw asNotRecorded(lost);
}

function cutShort(ending: Ending | undefined): Pick<AnswerDetails, 'cutBy'> {
  const reason = ending?.finishReason;
  return reason === 'length' || reason === 'content_filter' ? { cutBy: reason } : {};
}

/** Nothing where nothing is. */
function remembered({ ctx, trace }: RunBasis): Pick<AnswerDetails, 'results'> {
  const { rememberTools } = ctx.assistant.setup;
  const results = rememberTools ? newestResults(trace.results(), rememberTools.maxTokens) : [];
  return results.length > 0 ? { results } : {};
}

/** What did not come to its end may be tried again. */
const settleHandover = (
  { handover: { id } }: Resumed,
  ending: Ending | undefined,
  { stores: { handovers } }: RunDeps,
) => (ending ? handovers.finish(id) : handovers.release(id));

/** With what it cost by the prices of now: what they become later changes nothing that was. */
function priced(step: RunStep, { settings }: RunContext, { costOf }: RunDeps): RunStep {
  const { usage, connector = '', model = '' } = step;
  const cost = usage && costOf(settings, { connector, model }, usage);
  return cost ? { ...step, cost } : step;
}

/** What it has spent and what it gives back: booked with its record, in one statement. */
function settlementsOf({ ctx, slot }: RunBasis): readonly BudgetSettlement[] | undefined {
  const spent = ctx.budget?.takeSettlements();
  return slot ? [...(spent ?? []), slot.settlement] : spent;
}

/** Such as a conversation that was deleted meanwhile: nothing that was to be kept is lost. */
const isOfPerson = (failure: unknown) => failure instanceof AppError && failure.status < 500;

const asNotRecorded = (failure: unknown) =>
  failure instanceof AppError
    ? failure
    : unavailable('The answer could not be stored. Ask again in a moment.', 'not_recorded', failure);

function statusOf({ deadline, ctx }: RunBasis, ending: Ending | undefined): RunStatus {
  if (ending) return 'completed';
  if (deadline.expired()) return 'timed_out';
  return ctx.signal.aborted ? 'cancelled' : 'failed';
}
