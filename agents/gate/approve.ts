import { safeLabel } from '../../src/core/base/text.js';
import { errorLocation } from '../../src/core/log.js';
import type { StatusEvent } from '../../src/core/runs/event.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import { type Admitted, admitCall, refuse, type Refused } from './admit.js';
import type { Invocation } from './invocation.js';
import { approvalEvent } from './report.js';

const REFUSED = {
  refused: 'The person who is chatting refused this call. Do not try it again; go on without it.',
  expired: 'Nobody approved this call in time, so it was not made. Go on without it.',
} as const;

/** Lets pass what only reads; for the rest the owner's setting decides, and with `ask` whoever is chatting. */
export async function* approveCall(
  admitted: Admitted,
  invocation: Invocation,
  ctx: RunContext,
): AsyncGenerator<StatusEvent, Admitted | Refused> {
  const { ready, args, approval } = admitted;
  const { tool, config, subject } = ready;
  const deny = (why: string, reason: string) => {
    const { kind } = invocation.site;
    ctx.audit({ action: `use in a ${kind} call`, resource: `tool ${tool.name}`, reason: why });
    return refuse('denied', reason);
  };

  if (tool.danger === 'read' || approval === 'always-allowed') return admitted;
  if (approval !== 'ask') return deny('the owner has not approved it', 'This assistant may not do that.');
  if (!ctx.askApproval) {
    return deny(
      'approval cannot be asked for here',
      'This needs the approval of the person who is chatting, who cannot be asked here.',
    );
  }

  try {
    const label = safeLabel(tool.status(args, config, subject));
    const { callId } = invocation.site;
    const { expiresAt, answer } = await ctx.askApproval({ callId, tool: tool.name, label, args });
    yield approvalEvent(invocation.site, ready, { args, label, expiresAt });
    const said = await answer;
    if (said !== 'approved') return { ...deny(`approval was ${said}`, REFUSED[said]), asked: args };
  } catch (fault) {
    ctx.log.warn({ tool: tool.name, fault: errorLocation(fault) }, 'approval could not be asked for');
    return refuse('failed', 'The tool failed.', 'tool_failed');
  }
  // What was allowed before the wait may not be any more.
  const again = await admitCall(invocation, ctx);
  return again.admitted ? again : { ...again, asked: args };
}
