import type { Knex } from 'knex';
import type { RunRecord } from '../../../src/core/runs/record.js';
import {
  INTERRUPTED,
  type RunNoteStore,
  type RunLease,
  type RunStart,
} from '../../../src/core/runs/under-way.js';
import { isMissingParent } from '../../query/refusals.js';
import { rawRows } from '../../query/raw-rows.js';
import { RUN_FIELDS } from '../run-rows.js';

interface NoteRow {
  readonly id: string;
  readonly parent_run_id: string | null;
  readonly conversation_id: string | null;
  readonly activity_id: number | null;
  readonly assistant_id: number | null;
  readonly assistant_version: number;
  readonly organization_id: number;
  readonly user_id: number;
  readonly via: string;
  readonly started_at: string;
  readonly process_id: string;
  readonly lease_until: string;
}

export function createRunNoteStore(db: Knex): RunNoteStore {
  const notes = () => db<NoteRow>('run_notes');
  const note: RunNoteStore['note'] = async (runs, lease) => {
    const rows = runs.map((run) => noteOf(run, lease));
    try {
      await notes().insert(rows).onConflict('id').merge(['process_id', 'lease_until']);
    } catch (fault) {
      if (!isMissingParent(fault)) throw fault;
      // Whose account or assistant has just been deleted needs no note; the others need theirs.
      if (runs.length > 1) for (const run of runs) await note([run], lease);
    }
  };

  return {
    note,
    async renew(ids, leaseUntil) {
      await notes()
        .whereIn('id', [...ids])
        .update({ lease_until: leaseUntil });
    },
    async forget(ids) {
      await notes()
        .whereIn('id', [...ids])
        .del();
    },
    async overdue(now) {
      const rows = await notes()
        .where('lease_until', '<', now)
        .select('id', 'lease_until')
        .limit(MOST_AT_ONCE);
      return rows.map(({ id, lease_until: leaseUntil }) => ({ id, leaseUntil }));
    },
    async hasOthersThan(processId) {
      return (await notes().whereNot('process_id', processId).first('id')) !== undefined;
    },
    recordInterrupted: (seen, leaseMs) =>
      db.transaction(async (trx) => {
        // Whoever takes a note away makes the record of it: another process that tries finds nothing.
        const taken = await rawRows<NoteRow>(
          trx,
          `DELETE FROM run_notes WHERE (id, lease_until) IN (VALUES ${seen.map(() => '(?, ?)').join(', ')}) RETURNING *`,
          seen.flatMap(({ id, leaseUntil }) => [id, leaseUntil]),
        );
        const ids = taken.map(({ id }) => id);
        const recorded = new Set(await trx('runs').whereIn('id', ids).pluck<string[]>('id'));
        const lost = taken.filter(({ id }) => !recorded.has(id));
        if (lost.length > 0) await trx('runs').insert(lost.map((row) => interrupted(row, leaseMs)));
        return lost.length;
      }),
  };
}

/** Each is two of the values of one statement. */
const MOST_AT_ONCE = 500;

const noteOf = (run: RunStart, { processId, leaseUntil }: RunLease): NoteRow => ({
  id: run.id,
  parent_run_id: run.parentRunId ?? null,
  conversation_id: run.conversationId ?? null,
  activity_id: run.activityId ?? null,
  assistant_id: run.assistantId ?? null,
  assistant_version: run.assistantVersion,
  organization_id: run.organizationId,
  user_id: run.userId,
  via: run.via,
  started_at: run.startedAt,
  process_id: processId,
  lease_until: leaseUntil,
});

/** What it came to is not known, and so not what it cost: that is marked as an estimate. */
function interrupted(row: NoteRow, leaseMs: number): Record<string, unknown> {
  const lastSeen = Date.parse(row.lease_until) - leaseMs;
  const run: RunRecord = {
    id: row.id,
    parentRunId: row.parent_run_id ?? undefined,
    assistantId: row.assistant_id ?? undefined,
    assistantVersion: row.assistant_version,
    organizationId: row.organization_id,
    userId: row.user_id,
    via: row.via,
    conversationId: row.conversation_id ?? undefined,
    activityId: row.activity_id ?? undefined,
    status: 'failed',
    errorCode: INTERRUPTED,
    startedAt: row.started_at,
    ms: Math.max(0, lastSeen - Date.parse(row.started_at)),
    iterations: 0,
    capped: false,
    usage: { promptTokens: 0, completionTokens: 0, estimated: true },
    steps: [],
  };
  return Object.fromEntries(RUN_FIELDS.map(({ column, value }) => [column, value(run) ?? null]));
}
