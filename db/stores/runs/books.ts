import type { Knex } from 'knex';
import type { RunRecord } from '../../../src/core/runs/record.js';
import { STEP_FIELDS } from '../run-rows.js';

const OF_A_CALL = new Set([
  ...['connector', 'model', 'prompt_tokens', 'completion_tokens', 'cached_tokens', 'reasoning_tokens'],
  ...['cost', 'currency', 'estimated'],
]);

/** What the calls of a run have cost, as nobody's: all that stays of one whose speaker was erased before its end. */
export async function bookAsNobodys(db: Knex, run: RunRecord): Promise<void> {
  const calls = run.steps.filter(({ kind, usage }) => kind === 'model' && usage !== undefined);
  if (calls.length === 0) return;
  const costs = STEP_FIELDS.filter(({ column }) => OF_A_CALL.has(column));
  await db('usage_ledger').insert(
    calls.map((call) => ({
      ...{ run_id: run.id, organization_id: run.organizationId, user_id: null },
      ...{ assistant_id: run.assistantId ?? null, activity_id: run.activityId ?? null },
      ...Object.fromEntries(costs.map(({ column, value }) => [column, value(call) ?? null])),
      created_at: call.startedAt,
    })),
  );
}
