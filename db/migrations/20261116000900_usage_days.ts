import type { Knex } from 'knex';

const isPostgres = (db: Knex) => (db.client as Knex.Client).config.client === 'pg';

/** What was used, added up by day, so that a report need not read every row of the ledger. */
export async function up(db: Knex): Promise<void> {
  await createSums(db, 'usage_days', []);
  await createSums(db, 'usage_user_days', ['user_id']);
  await db.schema.alterTable('usage_user_days', (table) => {
    table.index(['user_id', 'day']);
    table.index(['assistant_id', 'day']);
  });
  await db.schema.createTable('usage_summing', (table) => {
    // One row, which whoever changes sums holds until they are done.
    table.integer('id').primary();
    table.bigInteger('up_to').notNullable();
  });
  // Rows below the mark that are in no sum: their runs lie on several days.
  await db.schema.createTable('usage_unsummed', (table) => {
    table.integer('ledger_id').primary();
  });
  // Days whose rows were changed after they were added up. They have no sums until that is done again.
  await db.schema.createTable('usage_stale_days', (table) => {
    table.integer('organization_id').notNullable();
    table.text('day').notNullable();
    table.primary(['organization_id', 'day']);
  });
  await (isPostgres(db) ? noticeInPostgres(db) : noticeInSqlite(db));
}

async function createSums(db: Knex, name: string, more: readonly string[]): Promise<void> {
  const made = db.schema.createTable(name, (table) => {
    table.integer('organization_id').notNullable();
    table.text('day').notNullable();
    // 0 and empty where the ledger has nothing.
    const ids = [...more, 'assistant_id', 'activity_id'];
    for (const id of ids) table.integer(id).notNullable();
    const texts = ['connector', 'model', 'currency'];
    for (const text of texts) table.text(text).notNullable();
    for (const sum of [
      ...['prompt_tokens', 'completion_tokens', 'cached_tokens', 'reasoning_tokens', 'cost'],
      // Each run once; once for each model; those with a call that had no price, or that cost something.
      ...['runs', 'model_runs', 'unpriced_runs', 'charged_runs'],
    ])
      table.bigInteger(sum).notNullable();
    table.primary(['organization_id', 'day', ...ids, ...texts]);
  });
  // In the order of their key, in which they are read: that takes half the time.
  await (isPostgres(db) ? made : db.raw(`${made.toString()} WITHOUT ROWID`));
}

const SUMS = ['usage_days', 'usage_user_days'];
const place = (row: string) => `(${row}.organization_id, substr(${row}.created_at, 1, 10))`;

/** The sums of a day go with the change itself: nobody who was forgotten is still named in them. */
const forgetting = (...rows: readonly string[]) => `
  ${SUMS.map(
    (table) => `DELETE FROM ${table} WHERE (organization_id, day) IN (VALUES ${rows.map(place).join(', ')});`,
  ).join('\n  ')}
  INSERT INTO usage_stale_days (organization_id, day) VALUES ${rows.map(place).join(', ')} ON CONFLICT DO NOTHING;`;

const IS_SUMMED = 'OLD.id <= coalesce((SELECT max(up_to) FROM usage_summing), 0)';

async function noticeInSqlite(db: Knex): Promise<void> {
  for (const [event, body] of [
    ['update', forgetting('OLD', 'NEW')],
    ['delete', forgetting('OLD')],
  ] as const)
    await db.raw(`CREATE TRIGGER usage_ledger_${event}_noticed AFTER ${event} ON usage_ledger
      WHEN ${IS_SUMMED} BEGIN ${body} END`);
}

async function noticeInPostgres(db: Knex): Promise<void> {
  // Before any row is locked, so that whoever adds up and whoever changes come one after the other.
  await db.raw(`CREATE FUNCTION wait_for_usage_sums() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO usage_summing (id, up_to) VALUES (1, 0)
        ON CONFLICT (id) DO UPDATE SET up_to = usage_summing.up_to;
      RETURN NULL;
    END $$`);
  await db.raw(`CREATE TRIGGER usage_ledger_waits BEFORE UPDATE OR DELETE ON usage_ledger
    FOR EACH STATEMENT EXECUTE FUNCTION wait_for_usage_sums()`);
  for (const [event, body] of [
    ['update', forgetting('OLD', 'NEW')],
    ['delete', forgetting('OLD')],
  ] as const) {
    await db.raw(`CREATE FUNCTION notice_usage_${event}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF ${IS_SUMMED} THEN ${body} END IF;
        RETURN NULL;
      END $$`);
    await db.raw(`CREATE TRIGGER usage_ledger_${event}_noticed AFTER ${event} ON usage_ledger
      FOR EACH ROW EXECUTE FUNCTION notice_usage_${event}()`);
  }
}

export async function down(db: Knex): Promise<void> {
  for (const event of ['update', 'delete']) {
    const of = isPostgres(db) ? ' ON usage_ledger' : '';
    await db.raw(`DROP TRIGGER usage_ledger_${event}_noticed${of}`);
    if (isPostgres(db)) await db.raw(`DROP FUNCTION notice_usage_${event}()`);
  }
  if (isPostgres(db)) {
    await db.raw('DROP TRIGGER usage_ledger_waits ON usage_ledger');
    await db.raw('DROP FUNCTION wait_for_usage_sums()');
  }
  for (const table of [
    'usage_stale_days',
    'usage_unsummed',
    'usage_summing',
    'usage_user_days',
    'usage_days',
  ])
    await db.schema.dropTable(table);
}
