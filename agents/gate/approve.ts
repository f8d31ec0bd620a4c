import { safeLabel } from '../../src/core/base/text.js';
import { errorLocation } from '../../src/core/log.js';
import type { ApprovalQuestion } from '../../src/core/runs/approval.js';
import type { Tell } from '../../src/core/runs/event.js';
import type { RunContext } from '../../src/core/runs/run-context.js';
import { fingerprint } from '../base/fingerprint.js';
import { type Admitted, admitCall, refuse, type Refused } from './admit.js';
import type { Invocation } from './invocation.js';
import { approvalEvent } from './report.js';

const REFUSED = {
  refused: 'The person who is chatting refused this call. Do not try it again; go on without it.',
  expired: 'Nobody approved this call in time, so it was not made. Go on without it.',
  changed:
    'The tool has been set up differently since this call was approved, so it was not made. Go on without it.',
} as const;

/** Not to be made before somebody has answered, which they do with another request. */
export interface Waiting {
  readonly admitted: false;
  readonly waiting: ApprovalQuestion;
}

/** Lets pass what only reads; for the rest the owner's setting decides, and with `ask` whoever is chatting. */
export async function approveCall(
  admitted: Admitted,
  invocation: Invocation,
  ctx: RunContext,
  tell: Tell,
): Promise<Admitted | Refused | Waiting> {
  const { ready, args, approval } = admitted;
  const { tool, config, subject } = ready;
  const deny = (why: string, reason: string) => {
    const { kind } = invocation.site;
    ctx.audit({ action: `use in a ${kind} call`, resource: `tool ${tool.name}`, reason: why });
    return refuse('denied', reason);
  };

  if (tool.danger === 'read' || approval === 'always-allowed') return admitted;
  if (approval !== 'ask') return deny('the owner has not approved it', 'This assistant may not do that.');
  const cannotAsk = () =>
    deny(
      'approval cannot be asked for here',
      'This needs the approval of the person who is chatting, who cannot be asked here.',
    );
  if (!ctx.askApproval) return cannotAsk();

  try {
    const label = safeLabel(tool.status(args, config, subject));
    const { callId, kind } = invocation.site;
    const setUp = fingerprint(JSON.stringify(ready.entry.config)).sha256;
    const question = { callId, tool: tool.name, label, args, setUp };
    const asked = await ctx.askApproval(question);
    // A prompt that is half filled cannot be put aside.
    if (asked === 'later') return kind === 'tool' ? { admitted: false, waiting: question } : cannotAsk();
    if (typeof asked === 'object') {
      await tell(approvalEvent(invocation.site, ready, { args, label, expiresAt: asked.expiresAt }));
    }
    const said = typeof asked === 'object' ? await asked.answer : asked;
    if (said !== 'approved') return { ...deny(`approval was ${said}`, REFUSED[said]), asked: args };
  } catch (fault) {
    ctx.log.warn({ tool: tool.name, fault: errorLocation(fault) }, 'approval could not be asked for');
    return refuse('failed', 'The tool failed.', 'tool_failed');
  }
  // What was allowed before the wait may not be any more.
  const again = await admitCall(invocation, ctx);
  return again.admitted ? again : { ...again, asked: args };
}
