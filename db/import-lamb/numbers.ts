import type { Knex } from 'knex';
import { safeLabel } from '../../src/core/base/text.js';
import { isPostgres } from '../query/raw-rows.js';
import { now } from '../query/values.js';
import { isDeleted, mayKeepNumber } from './assistants.js';
import { removeDemonstrations } from './demonstrations.js';
import type { Job } from './import-kind.js';
import { alreadyImported, takeTurn } from './memory.js';
import type { Renumbered, Tally } from './report.js';
import { integerOf } from './values.js';

const GAVE_WAY =
  'is a demonstration that nobody had used: it was removed, because an imported one has its number';

/**
 * Before any assistant comes over: whatever is made from now on, here or by the import, gets a number above all of
 * LAMB's, and demonstrations that were never used give theirs up.
 */
export async function reserveNumbers(job: Job, tally: Tally): Promise<void> {
  const wanted = await numbersToCome(job);
  const highest = wanted.reduce((one, other) => Math.max(one, other), 0);
  if (highest === 0) return;
  const removed = await job.db.transaction(async (trx) => {
    await takeTurn(trx, job.source.identity, now());
    await countOnFrom(trx, highest);
    return removeDemonstrations(trx, new Set(wanted), job.options.demonstrations ?? []);
  });
  for (const { id, name } of removed) tally.remark(GAVE_WAY, `${String(id)} ${name}`);
}

/** All that came over under another number, now or before. */
export async function renumbered({ db, source }: Job): Promise<readonly Renumbered[]> {
  const rows = await db('imported_rows')
    .where({ source: source.identity, kind: 'assistant' })
    .whereRaw('source_id <> target_id')
    .select<{ readonly source_id: string; readonly target_id: string }[]>('source_id', 'target_id');
  const list = rows.map((row) => ({ from: Number(row.source_id), to: Number(row.target_id) }));
  const names = await namesOf(
    db,
    list.map(({ to }) => to),
  );
  return list
    .map(({ from, to }) => ({ from, to, name: safeLabel(names.get(to) ?? '') }))
    .sort((one, other) => one.from - other.from);
}

const AT_ONCE = 500;

async function namesOf(db: Knex, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const names = new Map<number, string>();
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const rows = await db('assistants')
      .whereIn('id', ids.slice(start, start + AT_ONCE))
      .select<{ readonly id: number; readonly name: string }[]>('id', 'name');
    for (const { id, name } of rows) names.set(id, name);
  }
  return names;
}

async function numbersToCome({ db, source }: Job): Promise<readonly number[]> {
  const numbers: number[] = [];
  for await (const rows of source.batches('assistants')) {
    const ids = rows.filter((row) => !isDeleted(row)).flatMap((row) => integerOf(row['id']) ?? []);
    const known = await alreadyImported(db, source.identity, 'assistant', ids.map(String));
    numbers.push(...ids.filter((id) => mayKeepNumber(id) && !known.has(String(id))));
  }
  return numbers;
}

async function countOnFrom(trx: Knex, highest: number): Promise<void> {
  if (isPostgres(trx)) {
    const sequence = "pg_get_serial_sequence('assistants', 'id')::regclass";
    // Never back: others may be taking numbers meanwhile.
    await trx.raw(
      `SELECT setval(${sequence}, ?) WHERE coalesce(pg_sequence_last_value(${sequence}), 0) < ?`,
      [highest, highest],
    );
    return;
  }
  await trx.raw(
    "INSERT INTO sqlite_sequence (name, seq) SELECT 'assistants', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'assistants')",
  );
  await trx.raw("UPDATE sqlite_sequence SET seq = ? WHERE name = 'assistants' AND seq < ?", [
    highest,
    highest,
  ]);
}
