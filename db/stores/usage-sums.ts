import type { Knex } from 'knex';
import { isPostgres, rawRows } from '../query/raw-rows.js';
import { isLockedByOthers } from '../query/refusals.js';

/** A part of a statement, with what stands in the place of its question marks. */
export interface Sql {
  readonly sql: string;
  readonly values: readonly Knex.Value[];
}

/** Rows of the ledger up to this one are in the sums of their days, but for those that are said not to be. */
export const UP_TO = 'coalesce((SELECT up_to FROM usage_summing WHERE id = 1), 0)';

export async function summedUpTo(db: Knex): Promise<number> {
  const [mark] = await rawRows<{ up_to: number | string }>(db, `SELECT ${UP_TO} AS up_to`, []);
  return Number(mark?.up_to ?? 0);
}

export const IS_UNPRICED = `currency = ''`;
/** Or may have: nobody knows. */
export const IS_CHARGED = `(currency = '' OR cost <> 0)`;

const WHOSE = ['organization_id', 'day', 'assistant_id', 'activity_id', 'connector', 'model', 'currency'];
const TOKENS = ['prompt_tokens', 'completion_tokens', 'cached_tokens', 'reasoning_tokens', 'cost'];
const COUNTS = ['runs', 'model_runs', 'unpriced_runs', 'charged_runs'];

/** Calls of models as the sums have them: 0 and empty for what the ledger has nothing for. */
export const callsOf = (where: string, from = 'usage_ledger') => `
  SELECT id, run_id, organization_id, substr(created_at, 1, 10) AS day, coalesce(user_id, 0) AS user_id,
    coalesce(assistant_id, 0) AS assistant_id, coalesce(activity_id, 0) AS activity_id,
    coalesce(connector, '') AS connector, coalesce(model, '') AS model, coalesce(currency, '') AS currency,
    prompt_tokens, completion_tokens, coalesce(cached_tokens, 0) AS cached_tokens,
    coalesce(reasoning_tokens, 0) AS reasoning_tokens, coalesce(cost, 0) AS cost
  FROM ${from} WHERE ${where}`;

/** 1 for the first call of each run, or of each run in each `part`; so a sum of it counts runs. */
export const firstOf = (part = 'run_id', condition = 'true') => `CASE WHEN ${condition} AND
  row_number() OVER (PARTITION BY run_id, ${part} ORDER BY id) = 1 THEN 1 ELSE 0 END`;

/** So many rows at once on SQLite, where whoever chats waits for it. */
const ROWS_AT_ONCE = 500;

/** False when there was nothing to do. A process that is killed on the way leaves all as it was. */
export async function addUpSome(db: Knex, rowsAtOnce = ROWS_AT_ONCE): Promise<boolean> {
  const last = await lastRow(db);
  if (last === undefined) return false;
  return db.transaction(async (trx) => {
    const { upTo: from } = await holdSums(trx);
    // First: rows that are added to a day without sums would be read from the ledger as well.
    if (await renewOne(trx, from)) return true;
    if (last <= from) return false;
    const to = isPostgres(trx) ? last : await endOfPart(trx, from, last, rowsAtOnce);
    await addRows(trx, { sql: 'usage_ledger.id > ? AND usage_ledger.id <= ?', values: [from, to] });
    await trx('usage_summing').update({ up_to: to });
    return true;
  });
}

/** Until the transaction ends: whoever comes meanwhile waits, and then goes on from there. */
export async function holdSums(trx: Knex): Promise<{ readonly upTo: number; readonly closedBefore: string }> {
  const [mark] = await rawRows<{ up_to: number | string; closed_before: string }>(
    trx,
    `INSERT INTO usage_summing (id, up_to) VALUES (1, 0)
      ON CONFLICT (id) DO UPDATE SET up_to = usage_summing.up_to RETURNING up_to, closed_before`,
    [],
  );
  return { upTo: Number(mark?.up_to ?? 0), closedBefore: mark?.closed_before ?? '' };
}

/**
 * The last row of the ledger, where none before it can still come; undefined when that cannot be told now. Numbers are given before
 * a row can be seen: on PostgreSQL it is asked while nobody is writing one, which takes a moment, and is given up when
 * somebody takes longer.
 */
async function lastRow(db: Knex): Promise<number | undefined> {
  const ask = async (on: Knex) => {
    const [row] = await rawRows<{ last: number | null; todo: number | string }>(
      on,
      `SELECT max(id) AS last, (SELECT count(*) FROM usage_stale_days) AS todo FROM usage_ledger`,
      [],
    );
    return { last: row?.last ?? 0, isStale: Number(row?.todo ?? 0) > 0 };
  };
  const seen = await ask(db);
  const upTo = await summedUpTo(db);
  if (seen.last <= upTo) return seen.isStale ? upTo : undefined;
  if (!isPostgres(db)) return seen.last;
  return db
    .transaction(async (trx) => {
      await trx.raw(`SET LOCAL lock_timeout = '100ms'`);
      await trx.raw('LOCK TABLE usage_ledger IN SHARE MODE');
      return (await ask(trx)).last;
    })
    .catch((fault: unknown) => {
      if (isLockedByOthers(fault)) return undefined;
      throw fault;
    });
}

/** All rows of a run stand together on SQLite, and are added up together. */
async function endOfPart(trx: Knex, from: number, last: number, rows: number): Promise<number> {
  const edge = await trx('usage_ledger')
    .where('id', '>', from)
    .orderBy('id')
    .offset(rows)
    .first<{ id: number; run_id: string } | undefined>('id', 'run_id');
  if (!edge) return last;
  const next = await trx('usage_ledger')
    .where('id', '>', edge.id)
    .whereNot('run_id', edge.run_id)
    .orderBy('id')
    .first<{ id: number } | undefined>('id');
  return next ? next.id - 1 : last;
}

/** One day that was changed. */
async function renewOne(trx: Knex, upTo: number): Promise<boolean> {
  const day = await trx('usage_stale_days').first<{ organization_id: number; day: string } | undefined>();
  if (!day) return false;
  await addRows(trx, {
    sql: `organization_id = ? AND created_at >= ? AND created_at < ? AND usage_ledger.id <= ?
      AND usage_ledger.id NOT IN (SELECT ledger_id FROM usage_unsummed)`,
    values: [day.organization_id, day.day, `${day.day}T24`, upTo],
  });
  await trx('usage_stale_days').where(day).del();
  return true;
}

async function addRows(trx: Knex, rows: Sql): Promise<void> {
  const differs = ['day', 'organization_id', 'user_id', 'assistant_id', 'activity_id']
    .map((column) => `min(${column}) <> max(${column})`)
    .join(' OR ');
  // A run that goes over midnight, or is half somebody's, is counted once in some reports and twice in others.
  await trx.raw(
    `INSERT INTO usage_unsummed (ledger_id)
      SELECT usage_ledger.id FROM usage_ledger WHERE ${rows.sql} AND run_id IN
        (SELECT run_id FROM (${callsOf(rows.sql)}) AS said GROUP BY run_id HAVING ${differs})`,
    [...rows.values, ...rows.values],
  );
  const summed = `${rows.sql} AND usage_ledger.id NOT IN (SELECT ledger_id FROM usage_unsummed)`;
  await trx.raw(addingTo('usage_days', WHOSE, summed), [...rows.values]);
  await trx.raw(addingTo('usage_user_days', [...WHOSE, 'user_id'], summed), [...rows.values]);
}

function addingTo(table: string, keys: readonly string[], where: string): string {
  const sums = [...TOKENS, ...COUNTS];
  return `INSERT INTO ${table} (${[...keys, ...sums].join(', ')})
    SELECT ${keys.join(', ')}, ${sums.map((name) => `sum(${name})`).join(', ')} FROM (
      SELECT *, ${firstOf()} AS runs, ${firstOf('connector, model')} AS model_runs,
        ${firstOf(IS_UNPRICED, IS_UNPRICED)} AS unpriced_runs, ${firstOf(IS_CHARGED, IS_CHARGED)} AS charged_runs
      FROM (${callsOf(where)}) AS said) AS said
    WHERE true GROUP BY ${keys.join(', ')}
    ON CONFLICT (${keys.join(', ')}) DO UPDATE SET
      ${sums.map((name) => `${name} = ${table}.${name} + excluded.${name}`).join(', ')}`;
}
