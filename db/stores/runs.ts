import type { Knex } from 'knex';
import type { RunRecord } from '../../src/core/run-record.js';
import type { RunStore } from '../../src/core/stores.js';
import { storable } from '../column-values.js';
import { createGroupCommit } from '../group-commit.js';
import { byTime, pageOf } from '../paging.js';
import { toRun, type RunRow, type StepRow } from './run-rows.js';
import { createRunWriter } from './run-writing.js';

const NEWEST_FIRST = byTime<RunRow>('started_at', (row) => [row.started_at, row.id]);

export function createRunStore(db: Knex): RunStore {
  const writing = createGroupCommit(createRunWriter(db));

  return {
    record: writing.add,
    settled: writing.settled,

    async get(id) {
      const row = await db<RunRow>('runs').where('id', storable(id)).first();
      return row && (await withSteps(db, [row]))[0];
    },

    async list({ userId, organizationId }, page) {
      const runs = db('runs').select('*');
      if (userId !== undefined) runs.where('user_id', userId);
      if (organizationId !== undefined) runs.where('organization_id', organizationId);
      const { data, nextCursor } = await pageOf(runs, NEWEST_FIRST, page);
      return { data: await withSteps(db, data), nextCursor };
    },
  };
}

async function withSteps(db: Knex, rows: readonly RunRow[]): Promise<readonly RunRecord[]> {
  const ids = rows.map((row) => row.id);
  const steps = await db<StepRow>('run_steps').whereIn('run_id', ids).orderBy(['run_id', 'position']);
  const stepsOf = new Map<string, StepRow[]>(ids.map((id) => [id, []]));
  for (const step of steps) stepsOf.get(step.run_id)?.push(step);
  return rows.map((row) => toRun(row, stepsOf.get(row.id) ?? []));
}
