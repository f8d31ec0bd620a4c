import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../src/core/access/caller.js';
import type { ApprovalAnswer, AskApproval, OpenQuestion } from '../../src/core/runs/approval.js';
import type { Limits } from '../../src/core/runs/run-context.js';
import type { ApprovalStore } from '../../src/core/stores.js';

interface Asking {
  readonly runId: string;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

interface ApprovalDeps {
  readonly stores: { readonly approvals: ApprovalStore };
  readonly limits: Pick<Limits, 'approvalTimeoutMs'>;
}

/** The answer may come in through another process on the same database, so the question is looked up, not held. */
const LOOK_AGAIN_MS = 250;

/** Puts questions where the person chatting can answer them, and waits. Only they can see or answer one. */
export function approvalsFor(
  { runId, caller, signal }: Asking,
  { stores: { approvals }, limits }: ApprovalDeps,
): AskApproval {
  return async (question) => {
    const expiresAt = new Date(Date.now() + limits.approvalTimeoutMs).toISOString();
    const { callId, tool, label, args } = question;
    const id = { runId, callId, userId: caller.userId };
    await approvals.ask({ ...id, tool, label, args, expiresAt });
    const answer = waitFor(id, expiresAt);
    // A run that ends first leaves nobody to hear of it.
    answer.catch(() => undefined);
    return { expiresAt, answer };
  };

  async function waitFor(
    id: { readonly runId: string; readonly callId: string },
    expiresAt: string,
  ): Promise<ApprovalAnswer> {
    try {
      for (;;) {
        const approved = await approvals.answerTo(id);
        if (approved !== undefined) return approved ? 'approved' : 'refused';
        if (new Date().toISOString() >= expiresAt) return 'expired';
        await pause(LOOK_AGAIN_MS, undefined, { signal });
      }
    } finally {
      // What was to be done is nobody's business once it is settled.
      await approvals.withdraw(id);
    }
  }
}

/** For whoever answers with another request. */
export const askedLater: AskApproval = () => Promise.resolve('later');

export interface AnsweredQuestion extends OpenQuestion {
  readonly answer: ApprovalAnswer;
}

/** What was said, for exactly the calls that it was said about: by the model's ids, as it is not told of ours. */
export function answeredWith(answered: ReadonlyMap<string, AnsweredQuestion>): AskApproval {
  return ({ callId, tool, args, setUp }) => {
    const asked = answered.get(callId);
    if (!asked) return Promise.resolve('refused');
    const isSame =
      asked.tool === tool && asked.setUp === setUp && JSON.stringify(asked.args) === JSON.stringify(args);
    return Promise.resolve(isSame ? asked.answer : 'changed');
  };
}
