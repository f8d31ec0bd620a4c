import type { Knex } from 'knex';
import type { RunRecord } from '../../src/core/run-record.js';
import type { RunStore } from '../../src/core/stores.js';
import { storable } from '../column-values.js';
import { createGroupCommit } from '../group-commit.js';
import { insertInChunks } from '../insert-in-chunks.js';
import { byTime, pageOf } from '../paging.js';
import { ledgerRows, runRow, stepRows, toRun, type RunRow, type StepRow } from './run-rows.js';

const NEWEST_FIRST = byTime<RunRow>('started_at', (row) => [row.started_at, row.id]);

export function createRunStore(db: Knex): RunStore {
  return {
    record: createGroupCommit<RunRecord>((runs) => writeRuns(db, runs)),

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

async function writeRuns(db: Knex, runs: readonly RunRecord[]): Promise<void> {
  await db.transaction(async (trx) => {
    await insertInChunks(trx, 'runs', runs.map(runRow));
    await insertInChunks(trx, 'run_steps', runs.flatMap(stepRows));
    await insertInChunks(trx, 'usage_ledger', runs.flatMap(ledgerRows));
  });
}

async function withSteps(db: Knex, rows: readonly RunRow[]): Promise<readonly RunRecord[]> {
  const ids = rows.map((row) => row.id);
  const steps = await db<StepRow>('run_steps').whereIn('run_id', ids).orderBy(['run_id', 'position']);
  const stepsOf = new Map<string, StepRow[]>(ids.map((id) => [id, []]));
  for (const step of steps) stepsOf.get(step.run_id)?.push(step);
  return rows.map((row) => toRun(row, stepsOf.get(row.id) ?? []));
}
