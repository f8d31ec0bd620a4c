import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import {
  nextRunAfter,
  NOTHING_YET,
  type SourceStore,
  type SourceWork,
} from '../../../src/core/knowledge/source.js';
import { isPostgres, rawRows } from '../../query/raw-rows.js';
import { now, wholeNumber } from '../../query/values.js';
import { faultColumns, outcomeToColumn, type RunRow, type SourceRow, toRun, toSource } from './rows.js';

type Queue = Pick<SourceStore, 'claim' | 'nextDue' | 'report' | 'release' | 'finish'>;

/** So many runs of a source are remembered. */
const KEPT_RUNS = 50;

export function createSourceQueue(db: Knex): Queue {
  const claiming = claimingStatement(isPostgres(db));

  return {
    claim: ({ ms }) =>
      db.transaction(async (trx) => {
        const at = now();
        const [row] = await rawRows<ClaimedRow>(trx, claiming, [randomUUID(), until(ms), at, at]);
        if (!row) return undefined;
        const run = await runOf(trx, row);
        const home = { collectionId: row.collection_id, organizationId: row.organization_id };
        return {
          source: toSource(row, home, run),
          ...{ run: toRun(run), attempts: row.attempts, claim: row.claim ?? '' },
        };
      }),

    async nextDue() {
      // One that somebody is at is due again when they fall silent.
      const row = await db('sources')
        .whereNotNull('next_run_at')
        .first<{ readonly due: string | null }>(
          db.raw(
            'min(CASE WHEN lease_until IS NULL OR lease_until < next_run_at THEN next_run_at ELSE lease_until END) AS due',
          ),
        );
      return row.due ?? undefined;
    },

    report: (work, { total, done, outcome }, { ms }) =>
      db.transaction(async (trx) => {
        const count = await mine(trx, work).update({ lease_until: until(ms) });
        if (count === 0) return false;
        await trx('source_runs')
          .where('id', work.run.id)
          .update({ total: wholeNumber(total), done: wholeNumber(done), outcome: outcomeToColumn(outcome) });
        return true;
      }),

    async release(work) {
      await mine(db, work).update({ claim: null, lease_until: null, attempts: work.attempts - 1 });
    },

    finish: (work, end) => db.transaction((trx) => finishRun(trx, work, end)),
  };
}

/** The source of a claim, unless it is gone or somebody else's by now. */
function mine(db: Knex, { source, claim }: SourceWork): Knex.QueryBuilder {
  return db('sources').where({ id: source.id, claim });
}

type ClaimedRow = SourceRow & { readonly collection_id: string; readonly organization_id: number };

/** One statement, so that of many who ask at once each gets another. */
function claimingStatement(postgres: boolean): string {
  return `
    UPDATE sources SET claim = ?, lease_until = ?, attempts = attempts + 1
    WHERE seq = (
      SELECT due.seq FROM sources AS due
      WHERE due.next_run_at IS NOT NULL AND due.next_run_at <= ?
        AND (due.lease_until IS NULL OR due.lease_until < ?)
      ORDER BY due.next_run_at, due.seq
      LIMIT 1 ${postgres ? 'FOR UPDATE OF due SKIP LOCKED' : ''}
    )
    RETURNING *,
      (SELECT id FROM collections WHERE collections.seq = sources.collection_seq) AS collection_id,
      (SELECT organization_id FROM collections WHERE collections.seq = sources.collection_seq) AS organization_id`;
}

/** The one that somebody left unfinished, or a new one. */
async function runOf(trx: Knex.Transaction, { seq }: SourceRow): Promise<RunRow> {
  const left = (await trx('source_runs').where({ source_seq: seq, status: 'running' }).first()) as
    RunRow | undefined;
  if (left) return left;
  const made = {
    id: randomUUID(),
    ...{ source_seq: seq, status: 'running' as const, ...faultColumns(undefined), total: 0, done: 0 },
    ...{ outcome: outcomeToColumn(NOTHING_YET), started_at: now(), ended_at: null },
  };
  await trx('source_runs').insert(made);
  return made;
}

async function finishRun(
  trx: Knex.Transaction,
  work: SourceWork,
  end: Parameters<SourceStore['finish']>[1],
): Promise<void> {
  const row = (await mine(trx, work).first()) as SourceRow | undefined;
  if (!row) return;
  await mine(trx, work).update({
    ...{ claim: null, lease_until: null, attempts: 0 },
    next_run_at: nextRunAfter(row.schedule, work.run.startedAt) ?? null,
  });
  await trx('source_runs')
    .where('id', work.run.id)
    .update({
      ...{ status: end.failed ? 'failed' : 'done', ...faultColumns(end.error), ended_at: now() },
      ...{ total: wholeNumber(end.total), done: wholeNumber(end.done) },
      outcome: outcomeToColumn(end.outcome),
    });
  const kept = trx('source_runs')
    .where('source_seq', row.seq)
    .orderBy('started_at', 'desc')
    .limit(KEPT_RUNS)
    .select('id');
  await trx('source_runs').where('source_seq', row.seq).whereNotIn('id', kept).del();
}

function until(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}
