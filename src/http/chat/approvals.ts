import { Router } from 'express';
import { z } from 'zod';
import { deedOf } from '../../core/access/audit.js';
import type { Caller } from '../../core/access/caller.js';
import { notFound } from '../../core/errors.js';
import type { ApprovalStore, AuditStore, OpenApproval } from '../../core/stores.js';
import type * as wire from '../contract/chat.js';
import { parseWith } from '../middleware/json-body.js';
import { callerOf } from '../middleware/request-facts.js';

export interface ApprovalRoutesDeps {
  readonly approvals: ApprovalStore;
  readonly audit: AuditStore;
}

export const Answer = z.strictObject({ call_id: z.string().min(1).max(200), approve: z.boolean() });

/** Takes somebody's yes or no to a call that waits for them, once, and has it audited; false when none does. */
export async function answerApproval(
  caller: Caller,
  { runId, callId, approve }: { readonly runId: string; readonly callId: string; readonly approve: boolean },
  { approvals, audit }: ApprovalRoutesDeps,
): Promise<boolean> {
  const asked = await approvals.open(runId, caller.userId);
  const tool = asked.find((approval) => approval.callId === callId)?.tool;
  if (tool === undefined) return false;
  if (!(await approvals.answer({ runId, callId, userId: caller.userId }, approve))) return false;
  const action = approve ? 'approve a call' : 'refuse a call';
  await audit.record(deedOf(caller, { action, resource: `tool ${tool}`, runId }));
  return true;
}

/** Calls of a run that wait for the person who is chatting: what is to be done, and their yes or no. */
export function approvalRoutes(deps: ApprovalRoutesDeps): Router {
  const { approvals } = deps;
  return Router()
    .get('/lamb/v1/runs/:id/approvals', async (req, res) => {
      const open = await approvals.open(req.params.id, callerOf(res).userId);
      res.json({ data: open.map(show), next_cursor: null });
    })
    .post('/lamb/v1/runs/:id/approvals', async (req, res) => {
      const caller = callerOf(res);
      const runId = req.params.id;
      const { call_id: callId, approve } = parseWith(Answer, req.body);
      const answered = await answerApproval(caller, { runId, callId, approve }, deps);
      if (!answered) throw notFound('A call that waits for your approval');
      res.json({ run_id: runId, call_id: callId, approved: approve });
    });
}

function show({ callId, tool, label, args, expiresAt }: OpenApproval): wire.OpenCall {
  return { call_id: callId, tool, label, arguments: args, expires_at: expiresAt };
}
