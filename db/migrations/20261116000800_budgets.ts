import type { Knex } from 'knex';

/** Budgets, what of them is used and set aside, and which courses they can be for. */
export async function up(db: Knex): Promise<void> {
  await createCourses(db);
  await db.schema.createTable('budgets', (table) => {
    table.text('id').primary();
    table.integer('organization_id').notNullable().references('organizations.id').index();
    table.text('scope_type').notNullable();
    // No foreign key, as it leads to many tables: what is gone is never asked for.
    table.integer('scope_id').notNullable();
    table.boolean('each').notNullable();
    table.text('unit').notNullable();
    table.bigInteger('amount').notNullable();
    table.text('period').notNullable();
    table.text('timezone').notNullable();
    table.text('starts_at');
    table.text('ends_at');
    // JSON.
    table.text('alerts').notNullable();
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.unique(['scope_type', 'scope_id', 'each', 'unit', 'period']);
  });
  await db.schema.createTable('budget_accounts', (table) => {
    // No foreign key: what may happen at a time is counted here as well, and needs no row of its own elsewhere.
    table.text('budget_id').notNullable();
    // 0 where it is one for all.
    table.integer('user_id').notNullable();
    table.text('period_start').notNullable();
    table.bigInteger('used').notNullable().defaultTo(0);
    table.bigInteger('reserved').notNullable().defaultTo(0);
    table.primary(['budget_id', 'user_id', 'period_start']);
    table.index(['budget_id', 'period_start']);
    table.index('user_id');
  });
  await createAlerts(db);
  await db.schema.createTable('budget_holds', (table) => {
    table.text('id').primary();
    table.text('run_id').notNullable();
    // JSON: [budget, user, period, amount] each.
    table.text('parts').notNullable();
    table.text('expires_at').notNullable().index();
  });
  await db.schema.alterTable('runs', (table) => {
    // What capped it; those from before this column say only that something did.
    table.text('capped_by');
  });
  for (const name of ['run_steps', 'usage_ledger']) {
    await db.schema.alterTable(name, (table) => {
      table.integer('cached_tokens');
      table.integer('reasoning_tokens');
      // By the prices of the moment it was written, in billionths; null where none was set then.
      table.bigInteger('cost');
      table.text('currency');
    });
  }
  await countGenerations(db);
}

/** Each share of a budget that was reached, once for each period; and what became of telling it. */
async function createAlerts(db: Knex): Promise<void> {
  await db.schema.createTable('budget_alerts', (table) => {
    table.increments('id');
    table.text('budget_id').notNullable();
    table.integer('user_id').notNullable();
    table.text('period_start').notNullable();
    table.integer('threshold').notNullable();
    table.bigInteger('used').notNullable();
    table.bigInteger('amount').notNullable();
    table.text('reached_at').notNullable();
    table.integer('tries').notNullable().defaultTo(0);
    // Null once it is told, or given up.
    table.text('next_try_at').index();
    table.unique(['budget_id', 'user_id', 'period_start', 'threshold']);
  });
}

/** As they were met in launches. */
async function createCourses(db: Knex): Promise<void> {
  await db.schema.createTable('lti_courses', (table) => {
    table.increments('id');
    table.integer('platform_id').notNullable().references('lti_platforms.id').onDelete('CASCADE');
    table.text('course_id').notNullable();
    table.text('title').notNullable();
    table.unique(['platform_id', 'course_id']);
  });
  await db.raw(`INSERT INTO lti_courses (platform_id, course_id, title)
    SELECT platform_id, course_id, max(course_title) FROM lti_activities GROUP BY platform_id, course_id`);
}

/** New ones count as well: they apply from then on to those whom none applied to. */
async function countGenerations(db: Knex): Promise<void> {
  await db.schema.alterTable('generations', (table) => {
    table.bigInteger('budgets').notNullable().defaultTo(0);
  });
  for (const event of ['insert', 'update', 'delete']) {
    await db.raw(
      isPostgres(db)
        ? `CREATE CONSTRAINT TRIGGER budgets_${event}_counted AFTER ${event} ON budgets
           DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_generation()`
        : `CREATE TRIGGER budgets_${event}_counted AFTER ${event} ON budgets
           BEGIN UPDATE generations SET budgets = budgets + 1; END`,
    );
  }
}

export async function down(db: Knex): Promise<void> {
  for (const table of ['budget_alerts', 'budget_holds', 'budget_accounts', 'budgets', 'lti_courses']) {
    await db.schema.dropTable(table);
  }
  await db.raw('ALTER TABLE generations DROP COLUMN budgets');
  await db.raw('ALTER TABLE runs DROP COLUMN capped_by');
  for (const name of ['run_steps', 'usage_ledger'])
    for (const column of ['cached_tokens', 'reasoning_tokens', 'cost', 'currency'])
      await db.raw(`ALTER TABLE ${name} DROP COLUMN ${column}`);
}

const isPostgres = (db: Knex) => (db.client as Knex.Client).config.client === 'pg';
