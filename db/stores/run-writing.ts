import type { Knex } from 'knex';
import type { RunRecord } from '../../src/core/runs/record.js';
import { columnsOf, packedRow, packedRows, postgresValues, sqliteValues } from '../query/packed-rows.js';
import { prepareStatement, type StatementText } from '../query/prepared.js';
import { RUN_FIELDS, STEP_FIELDS } from './run-rows.js';

/** Writes any number of runs with their steps and ledger rows in one statement: all of it, or nothing. */
export function createRunWriter(db: Knex): (runs: readonly RunRecord[]) => Promise<void> {
  const record = prepareStatement(db, RECORD);
  return async (runs) => {
    await record(packedRows(runs.map(packedRun)));
  };
}

/** The steps stand after the run's own fields, as one more. */
const packedRun = (run: RunRecord) => [
  ...packedRow(RUN_FIELDS, run),
  run.steps.map((step) => packedRow(STEP_FIELDS, step)),
];
const STEPS = String(RUN_FIELDS.length);

const RUN = `runs (${columnsOf(RUN_FIELDS)})`;
const STEP = `run_steps (run_id, position, ${columnsOf(STEP_FIELDS)})`;
const LEDGER = `usage_ledger (run_id, organization_id, user_id, assistant_id, activity_id,
  connector, model, prompt_tokens, completion_tokens, estimated, created_at)`;

/** One row for each call of a model; a child run books its own. */
const COSTS = `kind = 'model' AND prompt_tokens IS NOT NULL`;
const COST = 'connector, model, prompt_tokens, completion_tokens, estimated, started_at';

const RECORD: StatementText = {
  name: 'record_runs',

  // SQLite writes to one table in one statement. A trigger writes to several, and still as one statement: one commit,
  // and nothing of it when any of it fails.
  sqliteSetUp: `
    CREATE TEMP VIEW IF NOT EXISTS recorded_run AS
      SELECT ${RUN_FIELDS.map(({ column }) => `NULL AS ${column}`).join(', ')}, NULL AS steps;
    CREATE TEMP TRIGGER IF NOT EXISTS record_run INSTEAD OF INSERT ON recorded_run BEGIN
      INSERT INTO ${RUN} VALUES (${columnsOf(RUN_FIELDS, 'NEW.')});
      INSERT INTO ${STEP}
        SELECT NEW.id, key, ${sqliteValues(STEP_FIELDS, 'value')} FROM jsonb_each(NEW.steps);
      INSERT INTO ${LEDGER}
        SELECT NEW.id, NEW.organization_id, NEW.user_id, NEW.assistant_id, NEW.activity_id, ${COST}
        FROM run_steps WHERE run_id = NEW.id AND ${COSTS} ORDER BY position;
    END;`,
  sqlite: `
    INSERT INTO recorded_run
      SELECT ${sqliteValues(RUN_FIELDS, 'value')}, jsonb_extract(value, '$[${STEPS}]') FROM jsonb_each(jsonb(?))`,

  postgres: `
    WITH recorded (${columnsOf(RUN_FIELDS)}, steps, place) AS (
      SELECT ${postgresValues(RUN_FIELDS, 'run')}, run -> ${STEPS}, place
      FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS packed (run, place)
    ), taken (run_id, organization_id, user_id, assistant_id, activity_id, place, position, ${columnsOf(STEP_FIELDS)}) AS (
      SELECT id, organization_id, user_id, assistant_id, activity_id, place, number - 1, ${postgresValues(STEP_FIELDS, 'step')}
      FROM recorded, jsonb_array_elements(steps) WITH ORDINALITY AS packed (step, number)
    ), run AS (
      INSERT INTO ${RUN} SELECT ${columnsOf(RUN_FIELDS)} FROM recorded
    ), step AS (
      INSERT INTO ${STEP} SELECT run_id, position, ${columnsOf(STEP_FIELDS)} FROM taken
    )
    INSERT INTO ${LEDGER}
      SELECT run_id, organization_id, user_id, assistant_id, activity_id, ${COST}
      FROM taken WHERE ${COSTS} ORDER BY place, position`,
};
