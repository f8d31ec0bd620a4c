import type { StatusEvent } from '../src/core/event.js';
import type { RunContext } from '../src/core/run-context.js';
import { admitCall } from './admit-call.js';
import { announcer, stepOf } from './call-report.js';
import type { Invocation, ToolOutcome } from './invocation.js';
import { runTool } from './run-tool.js';

/** The only door to `tool.run`. Whatever goes wrong behind it comes back as a value. */
export async function* invokeTool(
  invocation: Invocation,
  ctx: RunContext,
): AsyncGenerator<StatusEvent, ToolOutcome> {
  const startedAt = new Date();
  const announce = announcer(invocation.site, invocation.ready, startedAt);

  const admission = await admitCall(invocation, ctx);
  if (!admission.admitted) {
    const { phase, reason } = admission;
    ctx.trace.step(stepOf({ invocation, startedAt, outcome: { ok: false, reason }, ctx }));
    yield announce(phase);
    return { ok: false, reason };
  }

  yield announce('started', admission.args);
  const { outcome, childRunId } = yield* runTool(admission, invocation.site, ctx);
  ctx.trace.step(stepOf({ invocation, startedAt, outcome, childRunId, ctx }));
  yield announce(outcome.ok ? 'completed' : 'failed', admission.args);
  return outcome;
}
