import type { Knex } from 'knex';
import type { ApprovalStore, OpenApproval, Timestamp } from '../../src/core/stores.js';
import { now, storable } from '../query/values.js';

interface ApprovalRow {
  readonly run_id: string;
  readonly call_id: string;
  readonly user_id: number;
  readonly tool: string;
  readonly label: string;
  readonly arguments: string;
  readonly expires_at: Timestamp;
  readonly approved: boolean | number | null;
}

export function createApprovalStore(db: Knex): ApprovalStore {
  const approvals = () => db<ApprovalRow>('approvals');
  const keyOf = ({ runId, callId }: Pick<OpenApproval, 'runId' | 'callId'>) => ({
    run_id: storable(runId),
    call_id: storable(callId),
  });

  return {
    async ask(approval) {
      const { userId, tool, label, args, expiresAt } = approval;
      // A process that was killed leaves its questions behind; the next one who asks clears them away.
      await approvals().where('expires_at', '<', now()).del();
      await approvals().insert({
        ...keyOf(approval),
        user_id: userId,
        tool,
        label: storable(label),
        arguments: storable(JSON.stringify(args)),
        expires_at: expiresAt,
        approved: null,
      });
    },

    async open(runId, userId) {
      const rows = await approvals()
        .where({ run_id: storable(runId), user_id: userId, approved: null })
        .where('expires_at', '>', now())
        .orderBy('call_id');
      return rows.map(toApproval);
    },

    async answer({ userId, ...id }, approved) {
      const answered = await approvals()
        .where({ ...keyOf(id), user_id: userId, approved: null })
        .where('expires_at', '>', now())
        .update({ approved });
      return answered > 0;
    },

    async answerTo(id) {
      const row = await approvals().where(keyOf(id)).first('approved');
      return row?.approved == null ? undefined : Boolean(row.approved);
    },

    async withdraw(id) {
      await approvals().where(keyOf(id)).del();
    },
  };
}

function toApproval(row: ApprovalRow): OpenApproval {
  return {
    runId: row.run_id,
    callId: row.call_id,
    userId: row.user_id,
    tool: row.tool,
    label: row.label,
    args: JSON.parse(row.arguments) as Record<string, unknown>,
    expiresAt: row.expires_at,
  };
}
