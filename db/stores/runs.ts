import type { Knex } from 'knex';
import type { RunRecord, RunStep } from '../../src/core/runs/record.js';
import type { RunStore } from '../../src/core/stores.js';
import { isAway } from '../engines/postgres-away.js';
import { createGroupCommit } from '../query/group-commit.js';
import { storable } from '../query/values.js';
import { pageOfRuns } from './run-lists.js';
import { toRun, toStep, type RunRow, type StepRow } from './run-rows.js';
import { createRunWriter } from './run-writing.js';

export function createRunStore(db: Knex): RunStore {
  const write = createRunWriter(db);
  const writing = createGroupCommit<RunRecord>((runs) =>
    write(runs).catch(async (fault: unknown) => {
      // All of them or none: a commit whose answer was lost is looked for, and never made twice.
      if (!isAway(fault) || !(await areThere(db, runs))) throw fault;
    }),
  );

  return {
    record: writing.add,
    settled: writing.settled,

    async get(id) {
      const row = await db<RunRow>('runs').where('id', storable(id)).first();
      return row && (await withSteps(db, [row]))[0];
    },

    async list(filter, page) {
      const { data, nextCursor } = await pageOfRuns(db, filter, page);
      return { data: await withSteps(db, data), nextCursor };
    },

    steps: (ids) => stepsOf(db, ids),
  };
}

async function areThere(db: Knex, runs: readonly RunRecord[]): Promise<boolean> {
  const ids = runs.map(({ id }) => id);
  const found = await db('runs').whereIn('id', ids).pluck<string[]>('id');
  return found.length === ids.length;
}

async function withSteps(db: Knex, rows: readonly RunRow[]): Promise<readonly RunRecord[]> {
  const ids = rows.map((row) => row.id);
  const steps = await stepsOf(db, ids);
  return rows.map((row) => toRun(row, steps.get(row.id) ?? []));
}

async function stepsOf(db: Knex, ids: readonly string[]): Promise<ReadonlyMap<string, readonly RunStep[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db<StepRow>('run_steps').whereIn('run_id', ids).orderBy(['run_id', 'position']);
  const found = new Map<string, RunStep[]>();
  for (const row of rows) {
    const steps = found.get(row.run_id) ?? [];
    found.set(row.run_id, steps);
    steps.push(toStep(row));
  }
  return found;
}
