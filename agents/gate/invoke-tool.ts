import pLimit from 'p-limit';
import type { Tell } from '../../src/core/runs/event.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import { type Admitted, admitCall, type Refused } from './admit.js';
import { approveCall, type Waiting } from './approve.js';
import type { Invocation, ToolOutcome } from './invocation.js';
import { announcer, answerStep, shownFacts, stepOf } from './report.js';
import { runTool } from './run-tool.js';

/** The only door to `tool.run`. Whatever goes wrong behind it comes back as a value. */
export async function invokeTool(
  invocation: Invocation,
  ctx: RunContext,
  tell: Tell = () => undefined,
): Promise<ToolOutcome> {
  const startedAt = new Date();
  const announce = announcer(invocation.site, invocation.ready, startedAt);

  const admission = await admit(invocation, ctx, tell);
  if ('waiting' in admission) {
    return { ok: false, reason: 'This waits for approval.', waiting: admission.waiting };
  }
  if (!admission.admitted) {
    const { phase, reason, code, asked } = admission;
    const denied = phase === 'denied';
    ctx.trace.step(stepOf({ invocation, startedAt, outcome: { ok: false, reason }, denied, ctx }));
    const ended = announce.ended(phase, asked);
    ctx.trace.ended(answerStep(ended));
    await tell(ended);
    return { ok: false, reason, code };
  }

  await tell(announce.started(admission.args));
  const { outcome, childRunId } = await runTool(admission, invocation.site, ctx, tell);
  const { refused } = admission;
  ctx.trace.step(stepOf({ invocation, startedAt, outcome, childRunId, refused, ctx }));
  const facts = shownFacts(outcome, refused);
  const ended = announce.ended(outcome.ok ? 'completed' : 'failed', admission.args, facts);
  ctx.trace.ended(answerStep(ended, childRunId !== undefined));
  await tell(ended);
  return outcome;
}

async function admit(
  invocation: Invocation,
  ctx: RunContext,
  tell: Tell,
): Promise<Admitted | Refused | Waiting> {
  const admission = await admitCall(invocation, ctx);
  return admission.admitted ? await approveCall(admission, invocation, ctx, tell) : admission;
}

/** Calls at the same time, as many as may be; what became of each, in their order. */
export async function sideBySide(
  calls: readonly (() => Promise<ToolOutcome>)[],
  { limits, signal }: Pick<RunContext, 'limits' | 'signal'>,
): Promise<readonly ToolOutcome[]> {
  const inTurn = pLimit(limits.toolConcurrency);
  const outcomes = await Promise.all(calls.map((call) => inTurn(call)));
  signal.throwIfAborted();
  return outcomes;
}
