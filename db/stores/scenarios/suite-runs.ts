import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type {
  CassetteMode,
  RunScenario,
  ScenarioResult,
  SuiteProgress,
  SuiteRun,
  SuiteRunFacts,
  SuiteRunStore,
  SuiteStatus,
  SuiteWork,
} from '../../../src/core/scenarios/suite-run.js';
import type { Timestamp } from '../../../src/core/stores.js';
import { isPostgres, rawRows } from '../../query/raw-rows.js';
import { isRowId, now, storable, storableOrNull, wholeNumber } from '../../query/values.js';
import { TOO_MANY, unlessTooMany } from './too-many.js';

interface SuiteRow {
  readonly id: string;
  readonly assistant_id: number;
  readonly version: number;
  readonly started_by: number;
  readonly cassette: CassetteMode;
  readonly repeats: number;
  /** JSON. */
  readonly scenarios: string;
  readonly content_hash: string;
  readonly night: string | null;
  readonly status: SuiteStatus;
  readonly passed: boolean | number | null;
  readonly error: string | null;
  readonly done: number;
  readonly total: number;
  readonly cost: number | null;
  readonly tokens: number;
  /** JSON. */
  readonly results: string;
  readonly attempts: number;
  readonly claim: string | null;
  readonly created_at: Timestamp;
  readonly ended_at: Timestamp | null;
}

/** As the index says it. Whether it does ask is then read from the metadata. */
const ASKS_FOR_NIGHTS = `metadata LIKE '%"nightly_suite"%'`;
const SOME = 100;

export function createSuiteRunStore(db: Knex): SuiteRunStore {
  const mine = ({ run, claim }: SuiteWork) => db('suite_runs').where({ id: run.id, claim });

  return {
    async create(run, most) {
      const creating = db.transaction(async (trx) => {
        const of = () => trx('suite_runs').where('assistant_id', run.assistantId);
        // By it others see that this night has been.
        const notLastNight = (old: Knex.QueryBuilder) => {
          old.whereNull('night').orWhere('night', '<', of().max('night'));
        };
        const [row] = (await trx('suite_runs')
          .insert(
            {
              ...{ id: randomUUID(), assistant_id: run.assistantId, version: run.version },
              ...{ started_by: run.startedBy, cassette: run.cassette, repeats: run.repeat },
              ...{ scenarios: storable(JSON.stringify(run.scenarios)), content_hash: run.contentHash },
              ...{ status: 'queued', total: run.scenarios.length * run.repeat, results: '[]' },
              ...{ night: run.night, created_at: now() },
            },
            '*',
          )
          .onConflict(['assistant_id', 'night'])
          .ignore()) as SuiteRow[];
        if (!row) return 'there already';
        const waiting = await of().whereNull('ended_at').pluck<string[]>('id');
        if (waiting.length > most.waiting) throw TOO_MANY;
        const newest = of().orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ]);
        const old = await newest.offset(most.kept).limit(most.kept).pluck<string[]>('id');
        if (old.length > 0) await of().whereIn('id', old).whereNotNull('ended_at').where(notLastNight).del();
        return toRun(row);
      });
      return await creating.catch(unlessTooMany);
    },

    async due({ night, at }, after) {
      return await db('assistants')
        .whereRaw(ASKS_FOR_NIGHTS)
        .whereNull('deleted_at')
        .where('enabled', true)
        .where('updated_at', '<=', at)
        .where('id', '>', after)
        .whereNotExists((had) => {
          had.from('suite_runs').where({ night }).whereRaw('assistant_id = assistants.id').select('id');
        })
        .orderBy('id')
        .limit(SOME)
        .pluck<number[]>('id');
    },

    async get(id) {
      const row = await db<SuiteRow>('suite_runs').where('id', storable(id)).first();
      return row && toRun(row);
    },

    async list(assistantId, limit) {
      const rows = await db<SuiteRow>('suite_runs')
        .where('assistant_id', isRowId(assistantId) ? assistantId : 0)
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit)
        .select<readonly FactsRow[]>(FACTS);
      return rows.map(toFacts);
    },

    async lastOf(assistantId, contentHash) {
      const row = await db<SuiteRow>('suite_runs')
        .where('assistant_id', isRowId(assistantId) ? assistantId : 0)
        .where(contentHash === undefined ? {} : { content_hash: contentHash })
        .where('status', 'done')
        .whereNot('cassette', 'replay')
        .orderBy('created_at', 'desc')
        .first();
      return row && toRun(row);
    },

    async claim({ ms }) {
      const values = [randomUUID(), inMs(ms), now()];
      const [row] = await rawRows<SuiteRow>(db, claiming(isPostgres(db)), values);
      return row && { run: toRun(row), attempts: row.attempts, claim: row.claim ?? '' };
    },

    async keep(work, progress, { ms }) {
      const kept = mine(work).where('is_cancelled', false);
      return (await kept.update({ ...progressCells(progress), lease_until: inMs(ms) })) > 0;
    },

    async release(work) {
      await mine(work).update({
        ...{ status: 'queued', claim: null, lease_until: null, done: 0, results: '[]' },
        attempts: work.attempts - 1,
      });
    },

    async end(work, { status, passed, error, ...progress }) {
      const cells = { status, passed, error: storableOrNull(error), ended_at: now(), claim: null };
      return (await mine(work).update({ ...progressCells(progress), ...cells })) > 0;
    },

    async cancel(id) {
      const one = () => db<SuiteRow>('suite_runs').where('id', storable(id));
      await one()
        .whereNull('ended_at')
        .update({ is_cancelled: true, status: 'cancelled', claim: null, ended_at: now() } as object);
      const row = await one().first();
      return row && toRun(row);
    },
  };
}

const progressCells = ({ done, cost, tokens, results }: SuiteProgress) => ({
  ...{ done, cost, tokens: wholeNumber(tokens) },
  results: storable(JSON.stringify(results)),
});

/** One statement, so that of many who ask at once each gets another. Somebody may wait for those that are of no night. */
function claiming(postgres: boolean): string {
  return `
    UPDATE suite_runs SET claim = ?, lease_until = ?, attempts = attempts + 1, status = 'running'
    WHERE id = (
      SELECT id FROM suite_runs AS waiting
      WHERE waiting.ended_at IS NULL AND (waiting.lease_until IS NULL OR waiting.lease_until < ?)
      ORDER BY waiting.night IS NOT NULL, waiting.created_at, waiting.id
      LIMIT 1 ${postgres ? 'FOR UPDATE OF waiting SKIP LOCKED' : ''}
    )
    RETURNING *`;
}

function toRun(row: SuiteRow): SuiteRun {
  return {
    ...toFacts(row),
    ...{ startedBy: row.started_by, contentHash: row.content_hash },
    scenarios: JSON.parse(row.scenarios) as RunScenario[],
    results: JSON.parse(row.results) as ScenarioResult[],
  };
}

const FACTS = [
  ...(['id', 'assistant_id', 'version', 'cassette', 'repeats', 'status', 'passed'] as const),
  ...(['night', 'error', 'done', 'total', 'cost', 'tokens', 'created_at', 'ended_at'] as const),
] as const;
type FactsRow = Pick<SuiteRow, (typeof FACTS)[number]>;

function toFacts(row: FactsRow): SuiteRunFacts {
  return {
    ...{ id: row.id, assistantId: row.assistant_id, version: row.version },
    ...{ cassette: row.cassette, repeat: row.repeats, status: row.status, night: row.night },
    passed: row.passed === null ? null : Boolean(row.passed),
    ...{ error: row.error, done: row.done, of: row.total, cost: row.cost, tokens: row.tokens },
    ...{ createdAt: row.created_at, endedAt: row.ended_at },
  };
}

function inMs(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}
