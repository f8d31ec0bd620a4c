import type { Knex } from 'knex';
import { now } from '../query/values.js';
import type { ImportOptions, Kind, RowContext } from './kind.js';
import { alreadyImported, remember, takeTurn } from './memory.js';
import { createTally, type KindReport, type RowResult, type Tally } from './report.js';
import type { LambSource } from './source.js';
import type { LambRow } from './values.js';

export interface Progress {
  readonly title: string;
  /** Rows that are safe in the database, or settled without a change. */
  readonly done: number;
  readonly total: number;
}

export interface Job {
  readonly db: Knex;
  readonly source: LambSource;
  readonly options: ImportOptions;
  readonly onProgress: (progress: Progress) => void;
  readonly signal: AbortSignal;
}

export async function importKind(kind: Kind, job: Job): Promise<KindReport> {
  const tally = createTally(kind.title);
  await eachBatch(kind, job, tally);
  return tally.report();
}

/** One transaction for each batch; what is reported is committed. */
export async function eachBatch(kind: Kind, job: Job, tally: Tally): Promise<void> {
  const total = await kind.count(job.source);
  let done = 0;
  job.onProgress({ title: kind.title, done, total });
  for await (const rows of kind.batches(job.source)) {
    job.signal.throwIfAborted();
    const results = await job.db.transaction((trx) => importBatch(kind, rows, { ...job, db: trx }));
    for (const result of results) tally.add(result);
    done += results.length;
    job.onProgress({ title: kind.title, done, total });
  }
}

export async function importBatch(
  kind: Kind,
  rows: readonly LambRow[],
  job: Job,
): Promise<readonly RowResult[]> {
  const at = now();
  await takeTurn(job.db, job.source.identity, at);
  const ids = rows.flatMap((row) => kind.idOf(row) ?? []);
  const known = await alreadyImported(job.db, job.source.identity, kind.name, ids);

  const results: RowResult[] = [];
  for (const row of rows) {
    const id = kind.idOf(row);
    const result = id !== undefined && known.has(id) ? present(kind, row) : await importOne(kind, row, job);
    if (result) results.push(result);
  }
  return results;
}

const present = (kind: Kind, row: LambRow): RowResult => ({
  outcome: 'present',
  example: kind.exampleOf(row),
  remarks: [],
});

/** In a savepoint of its own: one bad row takes nothing else with it. Undefined when it was left for later. */
async function importOne(kind: Kind, row: LambRow, job: Job): Promise<RowResult | undefined> {
  const example = kind.exampleOf(row);
  const id = kind.idOf(row);
  if (id === undefined) return { outcome: 'skipped', example, reason: 'it has no id', remarks: [] };

  const remarks: string[] = [];
  try {
    return await job.db.transaction(async (trx) => {
      const ctx: RowContext = { ...contextOf({ ...job, db: trx }), remark: (text) => remarks.push(text) };
      const outcome = await kind.importRow(row, ctx);
      if ('postponed' in outcome) return undefined;
      if ('skipped' in outcome) return { outcome: 'skipped', example, reason: outcome.skipped, remarks: [] };
      const isNew = 'imported' in outcome;
      await remember(ctx, kind.name, id, isNew ? outcome.imported : outcome.matched);
      return { outcome: isNew ? 'imported' : 'present', example, remarks };
    });
  } catch (fault) {
    return { outcome: 'skipped', example, reason: reasonOf(fault), remarks: [] };
  }
}

function contextOf({ db, source, options }: Job): Omit<RowContext, 'remark'> {
  return { ...options, trx: db, source, at: now() };
}

/** Values that the database will not take, and faults of ours; a database that is gone is no fault of the row. */
function reasonOf(fault: unknown): string {
  const { code } = fault as { readonly code?: unknown };
  if (typeof code !== 'string') return 'it could not be understood';
  if (/^(22|23)\w{3}$|^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG)$/.test(code))
    return `the database refuses it (${code})`;
  throw fault;
}
