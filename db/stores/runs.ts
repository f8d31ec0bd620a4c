import type { Knex } from 'knex';
import type { BudgetSettlement } from '../../src/core/budgets/budget.js';
import { accountGone } from '../../src/core/errors.js';
import type { RunRecord, RunStep } from '../../src/core/runs/record.js';
import { INTERRUPTED } from '../../src/core/runs/under-way.js';
import type { Page, PageRequest, RunFilter, RunStore } from '../../src/core/stores.js';
import { createGroupCommit } from '../query/group-commit.js';
import { createLastingWrite } from '../query/lasting-write.js';
import { byTime, pageOf, pageOfUnion, upTo } from '../query/paging.js';
import {
  columnsOf,
  packedRow,
  packedRows,
  postgresValues,
  prepareStatement,
  sqliteValues,
  type StatementText,
} from '../query/prepared.js';
import { isPostgres } from '../query/raw-rows.js';
import { isMissingParent, isUniqueViolation } from '../query/refusals.js';
import { storable } from '../query/values.js';
import {
  NOTHING_NEEDED,
  SETTLING_IN_SQLITE,
  settlingBindings,
  settlingInPostgres,
} from './budgets/settling.js';
import { bookAsNobodys } from './runs/books.js';
import { RUN_FIELDS, type RunRow, STEP_FIELDS, type StepRow, toRun, toStep } from './run-rows.js';

export function createRunStore(db: Knex): RunStore {
  const write = createRunWriter(db);
  const extend = prepareStatement(db, EXTEND_AND_SETTLE);
  const settling = settlingBindings(db);
  /** A process that got no time for so long that others took it for gone knows better than they what came of its runs. */
  const replaceInterrupted = async (fault: unknown, runs: readonly RunRecord[]) => {
    if (!isUniqueViolation(fault)) throw fault;
    const ids = runs.map(({ id }) => id);
    if ((await db('runs').whereIn('id', ids).where('error_code', INTERRUPTED).del()) === 0) throw fault;
    return await write(runs);
  };
  const lasting = createLastingWrite();
  const writing = createGroupCommit<RunRecord>(async (runs) => {
    await lasting({
      // All of them or none, and an id is there once.
      write: () => write(runs).catch((fault: unknown) => replaceInterrupted(fault, runs)),
      find: async () => (await areThere(db, runs)) || undefined,
      isUnique: true,
    });
  });

  const extendOne = async (run: RunRecord) => {
    await extend(packedRows([packedRun(run)]), ...settling(run.settlements ?? []));
  };
  /** Whoever was erased meanwhile has no runs; what it cost is on the books all the same. */
  const unlessErased = async (fault: unknown, run: RunRecord) => {
    if (!isMissingParent(fault) || (await db('users').where('id', run.userId).first('id'))) throw fault;
    await bookAsNobodys(db, run);
    // Of a run that is not there nothing is left to do but to settle.
    await extendOne({ ...run, steps: [] });
    throw accountGone();
  };

  return {
    record: (run) => writing.add(run).catch((fault: unknown) => unlessErased(fault, run)),
    settled: writing.settled,
    extend: extendOne,

    async get(id) {
      const row = await db<RunRow>('runs').where('id', storable(id)).first();
      return row && (await withSteps(db, [row]))[0];
    },

    async list(filter, page) {
      const { data, nextCursor } = await pageOfRuns(db, filter, page);
      return { data: await withSteps(db, data), nextCursor };
    },

    async byIds(ids) {
      const rows = ids.length === 0 ? [] : await db<RunRow>('runs').whereIn('id', ids);
      return new Map((await withSteps(db, rows)).map((run) => [run.id, run]));
    },
  };
}

async function areThere(db: Knex, runs: readonly RunRecord[]): Promise<boolean> {
  const ids = runs.map(({ id }) => id);
  const found = await db('runs')
    .whereIn('id', ids)
    .whereRaw("coalesce(error_code, '') <> ?", [INTERRUPTED])
    .pluck<string[]>('id');
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

const NEWEST_FIRST = byTime<RunRow>('started_at', (row) => [row.started_at, row.id]);

function pageOfRuns(db: Knex, filter: RunFilter, page: PageRequest): Promise<Page<RunRow>> {
  const branches = waysToSee(db, filter, page);
  const rows = db('runs').select('*');
  if (branches.length === 0) return pageOf(narrowed(rows, filter), NEWEST_FIRST, page);
  return isPostgres(db)
    ? pageOfMonths(db, branches, page)
    : pageOfUnion({ rows, branches }, NEWEST_FIRST, page);
}

/** In two statements: ids that PostgreSQL knows tell it the months to look into, and ids that it has to find do not. */
async function pageOfMonths(
  db: Knex,
  branches: readonly Knex.QueryBuilder[],
  page: PageRequest,
): Promise<Page<RunRow>> {
  const newest = branches.map((way) => db.select('id').from(upTo(way, NEWEST_FIRST, page).as('way')));
  const found = (await db.unionAll(newest)) as Pick<RunRow, 'id'>[];
  if (found.length === 0) return { data: [], nextCursor: null };
  const ids = [...new Set(found.map(({ id }) => id))];
  return pageOf(db<RunRow>('runs').whereIn('id', ids), NEWEST_FIRST, page);
}

function waysToSee(db: Knex, filter: RunFilter, page: PageRequest): readonly Knex.QueryBuilder[] {
  const { userId, organizationId, ownerId } = filter;
  const runs = () => narrowed(db('runs'), filter);
  return [
    ...(userId === undefined ? [] : [runs().where('user_id', userId)]),
    ...(organizationId === undefined ? [] : [runs().where('organization_id', organizationId)]),
    ...(ownerId === undefined ? [] : [runsOfOwned(db, { ...filter, ownerId }, page)]),
  ];
}

interface OwnerFilter extends RunFilter {
  readonly ownerId: number;
}

/** All they own are gone through, with as many runs of each as fit on the page: one index leads to them. */
function runsOfOwned(db: Knex, filter: OwnerFilter, page: PageRequest): Knex.QueryBuilder {
  const owned = db('assistants').where('owner_id', filter.ownerId);
  if (filter.assistantId !== undefined) {
    return narrowed(db('runs'), filter).whereExists(owned.where('id', filter.assistantId).select('id'));
  }
  const ofOne = narrowed(db('runs').whereRaw('assistant_id = assistants.id'), filter);
  const newest = (columns: readonly string[]) => upTo(ofOne.select(columns), NEWEST_FIRST, page);
  // The databases have no words in common for a part that depends on what stands beside it.
  if (isPostgres(db)) {
    const beside = db.raw('CROSS JOIN LATERAL ? AS newest', [newest(['id', 'started_at'])]);
    return db.from(owned.joinRaw('?', [beside]).select('newest.*').as('owned'));
  }
  const beside = db.raw('CROSS JOIN runs AS newest ON newest.id IN ?', [newest(['id'])]);
  return db('runs').whereIn('id', owned.joinRaw('?', [beside]).select('newest.id'));
}

function narrowed(query: Knex.QueryBuilder, filter: RunFilter): Knex.QueryBuilder {
  const { assistantId, status, since, before } = filter;
  if (assistantId !== undefined) query.where('assistant_id', assistantId);
  if (status !== undefined) query.where('status', status);
  if (since !== undefined) query.where('started_at', '>=', since);
  if (before !== undefined) query.where('started_at', '<', before);
  return query;
}

/** Writes any number of runs with their steps and ledger rows in one statement: all of it, or nothing. */
function createRunWriter(db: Knex): (runs: readonly RunRecord[]) => Promise<true> {
  const record = prepareStatement(db, RECORD);
  const recordAndSettle = prepareStatement(db, RECORD_AND_SETTLE);
  const settling = settlingBindings(db);
  return async (runs) => {
    const settlements: BudgetSettlement[] = [];
    for (const run of runs) if (run.settlements) settlements.push(...run.settlements);
    const packed = packedRows(runs.map(packedRun));
    if (settlements.length === 0) await record(packed);
    else await recordAndSettle(packed, ...settling(settlements));
    return true;
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
  connector, model, prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens, cost, currency, estimated, created_at)`;

/** One row for each call of a model; a child run books its own. */
const COSTS = `kind = 'model' AND prompt_tokens IS NOT NULL`;
const COST =
  'connector, model, prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens, cost, currency, estimated, started_at';

/** What of a run is told anew by each of its parts, and what is added up. */
const ANEW = ['status', 'error_code', 'iterations', 'capped', 'capped_by'];
const ADDED = ['ms', 'prompt_tokens', 'completion_tokens'];
const extended = (from: string, either: string) =>
  [
    ...ANEW.map((column) => `${column} = ${from}.${column}`),
    ...ADDED.map((column) => `${column} = runs.${column} + ${from}.${column}`),
    `estimated = ${either}`,
  ].join(', ');

// SQLite writes to one table in one statement. A trigger writes to several, and still as one statement: one commit,
// and nothing of it when any of it fails.
const writingInSqlite = (view: string, run: string, before: string) => `
  CREATE TEMP VIEW IF NOT EXISTS ${view} AS
    SELECT ${RUN_FIELDS.map(({ column }) => `NULL AS ${column}`).join(', ')}, NULL AS steps;
  CREATE TEMP TRIGGER IF NOT EXISTS write_${view} INSTEAD OF INSERT ON ${view} BEGIN
    ${run};
    INSERT INTO ${STEP}
      SELECT NEW.id, key + ${before}, ${sqliteValues(STEP_FIELDS, 'value')} FROM jsonb_each(NEW.steps);
    INSERT INTO ${LEDGER}
      SELECT NEW.id, NEW.organization_id, NEW.user_id, NEW.assistant_id, NEW.activity_id, ${COST}
      FROM run_steps WHERE run_id = NEW.id AND ${COSTS} ${
        before === '0' ? '' : `AND position >= ${before} - json_array_length(NEW.steps)`
      } ORDER BY position;
  END;`;

const RECORDING_IN_SQLITE = writingInSqlite(
  'recorded_run',
  `INSERT INTO ${RUN} VALUES (${columnsOf(RUN_FIELDS, 'NEW.')})`,
  '0',
);
const EXTENDING_IN_SQLITE = writingInSqlite(
  'extended_run',
  `UPDATE runs SET ${extended('NEW', 'max(runs.estimated, NEW.estimated)')} WHERE id = NEW.id`,
  '(SELECT count(*) FROM run_steps WHERE run_id = NEW.id)',
);

const packedInSqlite = (view: string, packed: string) => `
  INSERT INTO ${view}
    SELECT ${sqliteValues(RUN_FIELDS, 'value')}, jsonb_extract(value, '$[${STEPS}]') FROM jsonb_each(jsonb(${packed}))`;

/** Ends with the rows of the ledger; `more` are written before them. */
const writingInPostgres = (run: string, before: string, more = '') => `
  WITH recorded (${columnsOf(RUN_FIELDS)}, steps, place) AS (
    SELECT ${postgresValues(RUN_FIELDS, 'run')}, run -> ${STEPS}, place
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS packed (run, place)
  ), taken (run_id, organization_id, user_id, assistant_id, activity_id, place, position, ${columnsOf(STEP_FIELDS)}) AS (
    SELECT id, organization_id, user_id, assistant_id, activity_id, place, number - 1 + ${before}, ${postgresValues(STEP_FIELDS, 'step')}
    FROM recorded, jsonb_array_elements(steps) WITH ORDINALITY AS packed (step, number)
  ), run AS (
    ${run}
  ), step AS (
    INSERT INTO ${STEP} SELECT run_id, position, ${columnsOf(STEP_FIELDS)} FROM taken
  )${more}
  INSERT INTO ${LEDGER}
    SELECT run_id, organization_id, user_id, assistant_id, activity_id, ${COST}
    FROM taken WHERE ${COSTS} ORDER BY place, position`;

const NEW_RUN = `INSERT INTO ${RUN} SELECT ${columnsOf(RUN_FIELDS)} FROM recorded`;
const MORE_OF_RUN = `UPDATE runs SET ${extended('recorded', 'runs.estimated OR recorded.estimated')} FROM recorded WHERE runs.id = recorded.id`;
const STEPS_BEFORE = '(SELECT count(*) FROM run_steps WHERE run_id = recorded.id)';
const SETTLING_TOO = `, ${settlingInPostgres('$2::jsonb', `'[]'::jsonb`, NOTHING_NEEDED)}`;

const RECORD: StatementText = {
  name: 'record_runs',
  sqliteSetUp: RECORDING_IN_SQLITE,
  sqlite: packedInSqlite('recorded_run', '?'),
  postgres: writingInPostgres(NEW_RUN, '0'),
};

const settlingInSqlite = (setUp: string, view: string): Pick<StatementText, 'sqlite' | 'sqliteSetUp'> => ({
  sqliteSetUp: `${setUp}${SETTLING_IN_SQLITE}
    CREATE TEMP VIEW IF NOT EXISTS settled_${view} AS
      SELECT NULL AS runs, NULL AS holds, NULL AS changes, NULL AS settlements;
    CREATE TEMP TRIGGER IF NOT EXISTS settle_${view} INSTEAD OF INSERT ON settled_${view} BEGIN
      ${packedInSqlite(view, 'NEW.runs')};
      INSERT INTO budget_settling VALUES (NEW.holds, NEW.changes, NEW.settlements);
    END;`,
  sqlite: `INSERT INTO settled_${view} VALUES (?, ?, ?, ?)`,
});

/** With what they have spent of their budgets. */
const RECORD_AND_SETTLE: StatementText = {
  name: 'record_runs_and_settle',
  ...settlingInSqlite(RECORDING_IN_SQLITE, 'recorded_run'),
  postgres: writingInPostgres(NEW_RUN, '0', SETTLING_TOO),
};

const EXTEND_AND_SETTLE: StatementText = {
  name: 'extend_runs_and_settle',
  ...settlingInSqlite(EXTENDING_IN_SQLITE, 'extended_run'),
  postgres: writingInPostgres(MORE_OF_RUN, STEPS_BEFORE, SETTLING_TOO),
};
