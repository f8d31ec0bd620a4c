import type { Knex } from 'knex';
import { runIdsSince } from '../../../src/core/base/ids.js';
import { rawRows } from '../../query/raw-rows.js';
import { codeOf } from '../../query/refusals.js';
import { holdSums } from '../usage-sums.js';

interface Table {
  readonly name: string;
  /** What it is partitioned by, and what that is at the beginning of a month. */
  readonly column: string;
  readonly since: (time: Date) => string;
}

/** Migration 001600 has partitioned them. What is of a run is in the month in which its id was given. */
const RUNS: Table = { name: 'runs', column: 'id', since: (time) => runIdsSince(time.getTime()) };
const STEPS: Table = { ...RUNS, name: 'run_steps', column: 'run_id' };
const LEDGER: Table = {
  ...{ name: 'usage_ledger', column: 'created_at' },
  since: (time) => time.toISOString(),
};

/** So many after the one that is now. */
const MONTHS_AHEAD = 2;

/** Whoever comes waits behind those who wait for a table: what is in use is left until the next time. */
const LOCK_WAIT_MS = 200;
/**
 * PostgreSQL, appendix A: `lock_not_available`; `check_violation`, when a row of that month has just come to the default
 * partition; `duplicate_table`, of a month that was detached by hand.
 */
const LEFT_FOR_LATER = new Set(['55P03', '23514', '42P07']);

/** False when others use what it needs, and then nothing of it is done. */
async function unlessInUse(db: Knex, work: (trx: Knex.Transaction) => Promise<boolean>): Promise<boolean> {
  try {
    return await db.transaction(async (trx) => {
      await trx.raw(`SET LOCAL lock_timeout = ${String(LOCK_WAIT_MS)}`);
      return work(trx);
    });
  } catch (fault) {
    if (LEFT_FOR_LATER.has(codeOf(fault))) return false;
    throw fault;
  }
}

const beginOf = (time: Date, months: number) =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months));

/** How many months were made, of runs and of the ledger each. */
export async function makePartitions(db: Knex, now: Date): Promise<number> {
  let made = 0;
  for (const tables of [[RUNS, STEPS], [LEDGER]])
    for (let month = 0; month <= MONTHS_AHEAD; month += 1)
      if (await makeMonth(db, tables, beginOf(now, month))) made += 1;
  // Of partitioned tables PostgreSQL learns nothing by itself.
  if (made > 0) await db.raw('ANALYZE runs, run_steps, usage_ledger');
  return made;
}

/** False where it is there already, or cannot be made now. */
function makeMonth(db: Knex, tables: readonly Table[], month: Date): Promise<boolean> {
  return unlessInUse(db, async (trx) => {
    for (const table of tables) {
      // One process after the other; whoever reads and writes goes on.
      await trx.raw(`LOCK TABLE ONLY ${table.name} IN SHARE UPDATE EXCLUSIVE MODE`);
      if (await hasPlace(trx, table, month)) return false;
    }
    for (const table of tables) await attach(trx, table, month);
    return true;
  });
}

/** What came before its month was made is in the default partition: there that month stays, and goes row by row. */
async function hasPlace(trx: Knex, table: Table, month: Date): Promise<boolean> {
  const [begin, end] = [table.since(month), table.since(beginOf(month, 1))];
  const names = [`${table.name}_before`, partOf(table, month)];
  const partitions = await partitionsOf(trx, table);
  if (partitions.some((one) => names.includes(one.name) && one.end > begin)) return true;
  const early = trx(`${table.name}_default`).where(table.column, '>=', begin).where(table.column, '<', end);
  return (await early.first(table.column)) !== undefined;
}

const partOf = ({ name }: Table, month: Date) =>
  `${name}_${month.toISOString().slice(0, 7).replace('-', '_')}`;

/** Made beside the table and then attached, which lets others read and write it meanwhile. */
async function attach(trx: Knex, table: Table, month: Date): Promise<void> {
  const part = partOf(table, month);
  await trx.raw(`CREATE TABLE ${part} (LIKE ${table.name} INCLUDING DEFAULTS)`);
  await trx.raw(`ALTER TABLE ${table.name} ATTACH PARTITION ${part}
    FOR VALUES FROM ('${table.since(month)}') TO ('${table.since(beginOf(month, 1))}')`);
  if (table === STEPS)
    await trx.raw(`ALTER TABLE ${part} ADD CONSTRAINT run_steps_run_id_foreign
      FOREIGN KEY (run_id) REFERENCES ${partOf(RUNS, month)} (id) ON DELETE CASCADE`);
}

interface Partition {
  readonly name: string;
  /** It holds what sorts before. */
  readonly end: string;
}

/** Without the one that holds whatever has no other place. */
function partitionsOf(db: Knex, { name }: Table): Promise<readonly Partition[]> {
  return rawRows<Partition>(
    db,
    `SELECT name, bounds[1] AS "end" FROM (
       SELECT parts.oid::regclass::text AS name,
         regexp_match(pg_get_expr(parts.relpartbound, parts.oid), 'TO \\(''([^'']+)''\\)') AS bounds
       FROM pg_inherits JOIN pg_class AS parts ON parts.oid = inhrelid WHERE inhparent = '${name}'::regclass
     ) AS parts WHERE bounds IS NOT NULL ORDER BY 2`,
    [],
  );
}

/** How many months went, of runs and of the ledger each. */
export async function dropPast(db: Knex, before: Date): Promise<number> {
  let dropped = 0;
  for (const [table, drop] of [
    [RUNS, dropRuns],
    [LEDGER, dropFromLedger],
  ] as const)
    for (const { name, end } of await partitionsOf(db, table))
      if (end <= table.since(before) && (await unlessInUse(db, (trx) => drop(trx, name, end)))) dropped += 1;
  return dropped;
}

/** Not while it holds runs of activities, with which more goes than the rows. */
async function dropRuns(trx: Knex, partition: string): Promise<boolean> {
  if ((await trx(partition).whereNotNull('activity_id').first('id')) !== undefined) return false;
  await trx.raw(`DROP TABLE ${partition.replace(RUNS.name, STEPS.name)}, ${partition}`);
  return true;
}

/** Not while something of it is in no sum yet. What never will be stays on the books, where rows without a month are. */
async function dropFromLedger(trx: Knex, partition: string, end: string): Promise<boolean> {
  const { upTo, closedBefore } = await holdSums(trx);
  if (closedBefore < end.slice(0, 10)) return false;
  await trx.raw(`LOCK TABLE ${partition} IN ACCESS EXCLUSIVE MODE`);
  if ((await trx(partition).where('id', '>', upTo).first('id')) !== undefined) return false;
  await trx.raw(`ALTER TABLE usage_ledger DETACH PARTITION ${partition}`);
  await trx.raw(`INSERT INTO usage_ledger
    SELECT * FROM ${partition} WHERE id IN (SELECT ledger_id FROM usage_unsummed)`);
  await trx.raw(`DROP TABLE ${partition}`);
  return true;
}
