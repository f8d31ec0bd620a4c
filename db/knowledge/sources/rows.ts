import type { Knex } from 'knex';
import {
  NOTHING_YET,
  type RunOutcome,
  type Schedule,
  type Source,
  type SourceContent,
  type SourceRun,
  type SourceSettings,
} from '../../../src/core/knowledge/source.js';
import type { SourceFault } from '../../../src/core/knowledge/source-faults.js';
import type { Timestamp } from '../../../src/core/stores.js';
import { rawRows } from '../../query/raw-rows.js';
import { storable, storableOrNull } from '../../query/values.js';

export interface SourceRow {
  readonly seq: number;
  readonly id: string;
  readonly collection_seq: number;
  readonly kind: SourceSettings['kind'];
  readonly name: string;
  /** JSON. */
  readonly settings: string;
  readonly token: string | null;
  readonly schedule: Schedule;
  readonly next_run_at: Timestamp | null;
  readonly claim: string | null;
  readonly attempts: number;
  readonly created_at: Timestamp;
  readonly updated_at: Timestamp;
}

export interface RunRow {
  readonly id: string;
  readonly source_seq: number;
  readonly status: SourceRun['status'];
  readonly error: string | null;
  readonly error_code: string | null;
  /** JSON. */
  readonly error_values: string | null;
  readonly total: number;
  readonly done: number;
  /** JSON. */
  readonly outcome: string;
  readonly started_at: Timestamp;
  readonly ended_at: Timestamp | null;
}

/** Which collection a source belongs to, as others know it. */
export interface Home {
  readonly collectionId: string;
  readonly organizationId: number;
}

export function toSource(row: SourceRow, { collectionId, organizationId }: Home, last?: RunRow): Source {
  return {
    ...{ id: row.id, collectionId, organizationId, name: row.name },
    settings: { ...(JSON.parse(row.settings) as object), kind: row.kind } as SourceSettings,
    token: row.token ?? undefined,
    schedule: row.schedule,
    nextRunAt: row.next_run_at ?? undefined,
    lastRun: last && toRun(last),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toRun(row: RunRow): SourceRun {
  return {
    id: row.id,
    status: row.status,
    error: faultIn(row),
    total: row.total,
    done: row.done,
    outcome: { ...NOTHING_YET, ...(JSON.parse(row.outcome) as RunOutcome) },
    startedAt: row.started_at,
    endedAt: row.ended_at ?? undefined,
  };
}

/** Those of earlier versions have a sentence alone. */
function faultIn({ error, error_code, error_values }: RunRow): SourceFault | undefined {
  if (error === null) return undefined;
  return {
    ...{ message: error, code: error_code ?? undefined },
    ...(error_values !== null && { values: JSON.parse(error_values) as string[] }),
  };
}

export function faultColumns(fault: SourceFault | undefined) {
  return {
    error: storableOrNull(fault?.message),
    error_code: fault?.code ?? null,
    error_values: fault?.values ? storable(JSON.stringify(fault.values)) : null,
  };
}

export function contentColumns({ name, settings: { kind, ...settings }, token, schedule }: SourceContent) {
  return {
    ...{ kind, schedule },
    name: storable(name),
    settings: storable(JSON.stringify(settings)),
    token: storableOrNull(token),
  };
}

export function outcomeToColumn(outcome: RunOutcome): string {
  return storable(JSON.stringify(outcome));
}

/** The sources of a collection, by the id that others know it by. */
export function sourcesIn(db: Knex, collectionId: string): Knex.QueryBuilder {
  return db('sources').where(
    'collection_seq',
    db('collections').select('seq').where('id', storable(collectionId)),
  );
}

/** The last run of each. */
export async function lastRunsOf(db: Knex, seqs: readonly number[]): Promise<ReadonlyMap<number, RunRow>> {
  if (seqs.length === 0) return new Map();
  const rows = await rawRows<RunRow>(
    db,
    `SELECT * FROM (
       SELECT source_runs.*, row_number() OVER (PARTITION BY source_seq ORDER BY started_at DESC, id DESC) AS place
       FROM source_runs WHERE source_seq IN (${seqs.map(() => '?').join(', ')})
     ) AS placed WHERE place = 1`,
    [...seqs],
  );
  return new Map(rows.map((row) => [row.source_seq, row]));
}
