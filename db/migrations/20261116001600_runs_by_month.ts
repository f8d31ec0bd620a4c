import type { Knex } from 'knex';

/**
 * PostgreSQL: runs, their steps and the ledger are partitioned by month, so that months that are past can be dropped
 * (`db/stores/runs/partitions.ts` makes and drops them). On both: days can be closed, whose sums outlive their rows.
 *
 * Safe beside the version before: tables, columns and their order are as they were, and so are all keys but that of the
 * ledger, which no statement of that version names.
 */
export async function up(db: Knex): Promise<void> {
  // Days before it have their sums for good: the rows they were made of may be gone.
  await db.raw(`ALTER TABLE usage_summing ADD COLUMN closed_before text NOT NULL DEFAULT ''`);
  if (!isPostgres(db)) return noticeInSqlite(db, IS_OPEN);
  // All at once: to wait for one while the others are held would hold up everybody.
  await db.raw('LOCK TABLE runs, run_steps, usage_ledger IN ACCESS EXCLUSIVE MODE');
  await dropTriggers(db);
  // The key of a partitioned table has what it is partitioned by.
  await db.raw(`ALTER TABLE usage_ledger DROP CONSTRAINT usage_ledger_pkey,
    ADD CONSTRAINT usage_ledger_pkey PRIMARY KEY (id, created_at)`);
  for (const table of TABLES) await partition(db, table);
  // Each part of the steps leads to the part of the runs that has the same ids, so that both can be dropped at once.
  await db.raw(`ALTER TABLE run_steps_default ADD CONSTRAINT run_steps_run_id_foreign
    FOREIGN KEY (run_id) REFERENCES runs_default (id) ON DELETE CASCADE`);
  await db.raw('ALTER SEQUENCE usage_ledger_id_seq OWNED BY usage_ledger.id');
  await noticeInPostgres(db, IS_OPEN);
  await createTriggers(db);
}

interface Table {
  readonly name: string;
  /** What it is partitioned by. */
  readonly column: string;
  /** Where the month after this one begins. */
  readonly nextMonth: string;
  /** As it is without partitions, and with them. */
  readonly keys: readonly [string, string];
  readonly indexes: Readonly<Record<string, string>>;
  /** Columns that lead to other tables. */
  readonly refersTo: Readonly<Record<string, string>>;
}

const now = new Date();
const NEXT_MONTH = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));
/** Ids of runs begin with the time, in milliseconds (UUID of version 7). */
const RUNS_OF_NEXT_MONTH = NEXT_MONTH.getTime()
  .toString(16)
  .padStart(12, '0')
  .replace(/^(.{8})/, 'run_$1-');

const WHOSE = { assistant_id: 'assistants', organization_id: 'organizations', user_id: 'users' };

/** Steps before their runs, with which they would go. */
const TABLES: readonly Table[] = [
  {
    ...{ name: 'run_steps', column: 'run_id', nextMonth: RUNS_OF_NEXT_MONTH },
    ...{ keys: ['run_id, position', 'run_id, position'], indexes: {}, refersTo: {} },
  },
  {
    ...{ name: 'runs', column: 'id', nextMonth: RUNS_OF_NEXT_MONTH, keys: ['id', 'id'], refersTo: WHOSE },
    indexes: {
      runs_started_at_id_index: '(started_at, id)',
      runs_user_id_started_at_id_index: '(user_id, started_at, id)',
      runs_organization_id_started_at_id_index: '(organization_id, started_at, id)',
      runs_assistant_id_started_at_id_index: '(assistant_id, started_at, id)',
      runs_of_activities: '(activity_id, started_at, id) WHERE activity_id IS NOT NULL',
    },
  },
  {
    ...{ name: 'usage_ledger', column: 'created_at', nextMonth: NEXT_MONTH.toISOString() },
    ...{ keys: ['id', 'id, created_at'], refersTo: WHOSE },
    indexes: {
      usage_ledger_organization_id_created_at_index: '(organization_id, created_at)',
      usage_ledger_user_id_created_at_index: '(user_id, created_at)',
      usage_ledger_assistant_id_created_at_index: '(assistant_id, created_at)',
      usage_ledger_of_activities: '(activity_id, created_at) WHERE activity_id IS NOT NULL',
    },
  },
];

/** The table there is becomes the partition of all until the end of this month, as it is: no row is copied. */
async function partition(db: Knex, table: Table): Promise<void> {
  const { name, column, nextMonth, keys } = table;
  const [before, rest] = [`${name}_before`, `${name}_default`];
  const { rows } = await db.raw<{ rows: { index: string }[] }>(
    'SELECT indexrelid::regclass::text AS index FROM pg_index WHERE indrelid = ?::regclass',
    [name],
  );
  for (const { index } of rows) await db.raw(`ALTER INDEX ${index} RENAME TO before_${index}`);
  await db.raw(`ALTER TABLE ${name} RENAME TO ${before}`);
  await db.raw(`CREATE TABLE ${name} (LIKE ${before} INCLUDING DEFAULTS) PARTITION BY RANGE (${column})`);
  await createKeys(db, table, keys[1]);
  // Whatever id or time a row has, it has a place.
  await db.raw(`CREATE TABLE ${rest} PARTITION OF ${name} DEFAULT`);
  // Ids that do not tell their time, and times of clocks that were wrong.
  await db.raw(`INSERT INTO ${rest} SELECT * FROM ${before} WHERE ${column} >= '${nextMonth}'`);
  await db.raw(`DELETE FROM ${before} WHERE ${column} >= '${nextMonth}'`);
  await db.raw(
    `ALTER TABLE ${name} ATTACH PARTITION ${before} FOR VALUES FROM (MINVALUE) TO ('${nextMonth}')`,
  );
}

async function createKeys(db: Knex, { name, indexes, refersTo }: Table, key: string): Promise<void> {
  await db.raw(`ALTER TABLE ${name} ADD CONSTRAINT ${name}_pkey PRIMARY KEY (${key})`);
  for (const [column, parent] of Object.entries(refersTo))
    await db.raw(`ALTER TABLE ${name} ADD CONSTRAINT ${name}_${column}_foreign
      FOREIGN KEY (${column}) REFERENCES ${parent} (id)`);
  for (const [index, columns] of Object.entries(indexes))
    await db.raw(`CREATE INDEX ${index} ON ${name} ${columns}`);
}

const SUMS = ['usage_days', 'usage_user_days'];
const place = (row: string) => `(${row}.organization_id, substr(${row}.created_at, 1, 10))`;

/** As before: the sums of a day go with the change itself. */
const forgetting = (...rows: readonly string[]) => `
  ${SUMS.map(
    (table) => `DELETE FROM ${table} WHERE (organization_id, day) IN (VALUES ${rows.map(place).join(', ')});`,
  ).join('\n  ')}
  INSERT INTO usage_stale_days (organization_id, day) VALUES ${rows.map(place).join(', ')} ON CONFLICT DO NOTHING;`;

const NOTICED = [
  ['update', forgetting('OLD', 'NEW')],
  ['delete', forgetting('OLD')],
] as const;

const IS_SUMMED = 'OLD.id <= coalesce((SELECT max(up_to) FROM usage_summing), 0)';
const IS_OPEN = `${IS_SUMMED} AND OLD.created_at >= coalesce((SELECT max(closed_before) FROM usage_summing), '')`;

async function noticeInSqlite(db: Knex, condition: string): Promise<void> {
  for (const [event, body] of NOTICED) {
    await db.raw(`DROP TRIGGER usage_ledger_${event}_noticed`);
    await db.raw(`CREATE TRIGGER usage_ledger_${event}_noticed AFTER ${event} ON usage_ledger
      WHEN ${condition} BEGIN ${body} END`);
  }
}

async function noticeInPostgres(db: Knex, condition: string): Promise<void> {
  for (const [event, body] of NOTICED)
    await db.raw(`CREATE OR REPLACE FUNCTION notice_usage_${event}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF ${condition} THEN ${body} END IF;
        RETURN NULL;
      END $$`);
}

async function dropTriggers(db: Knex): Promise<void> {
  for (const trigger of ['waits', 'update_noticed', 'delete_noticed'])
    await db.raw(`DROP TRIGGER usage_ledger_${trigger} ON usage_ledger`);
}

async function createTriggers(db: Knex): Promise<void> {
  await db.raw(`CREATE TRIGGER usage_ledger_waits BEFORE UPDATE OR DELETE ON usage_ledger
    FOR EACH STATEMENT EXECUTE FUNCTION wait_for_usage_sums()`);
  for (const [event] of NOTICED)
    await db.raw(`CREATE TRIGGER usage_ledger_${event}_noticed AFTER ${event} ON usage_ledger
      FOR EACH ROW EXECUTE FUNCTION notice_usage_${event}()`);
}

/** Into one table each, which copies every row. */
export async function down(db: Knex): Promise<void> {
  if (isPostgres(db)) {
    await dropTriggers(db);
    await db.raw('ALTER SEQUENCE usage_ledger_id_seq OWNED BY NONE');
    for (const table of TABLES) await unite(db, table);
    await db.raw('ALTER SEQUENCE usage_ledger_id_seq OWNED BY usage_ledger.id');
    await db.raw(`ALTER TABLE run_steps ADD CONSTRAINT run_steps_run_id_foreign
      FOREIGN KEY (run_id) REFERENCES runs (id) ON DELETE CASCADE`);
    await noticeInPostgres(db, IS_SUMMED);
    await createTriggers(db);
  } else await noticeInSqlite(db, IS_SUMMED);
  await db.raw('ALTER TABLE usage_summing DROP COLUMN closed_before');
}

async function unite(db: Knex, table: Table): Promise<void> {
  const { name, keys } = table;
  await db.raw(`CREATE TABLE ${name}_whole (LIKE ${name} INCLUDING DEFAULTS)`);
  await db.raw(`INSERT INTO ${name}_whole SELECT * FROM ${name}`);
  await db.raw(`DROP TABLE ${name}`);
  await db.raw(`ALTER TABLE ${name}_whole RENAME TO ${name}`);
  await createKeys(db, table, keys[0]);
}

const isPostgres = (db: Knex) => (db.client as Knex.Client).config.client === 'pg';
