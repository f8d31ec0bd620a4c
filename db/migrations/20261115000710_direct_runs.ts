import type { Knex } from 'knex';

const TABLES = ['runs', 'usage_ledger'];

/** A tool that somebody runs directly is a run, and may cost, without an assistant. */
export async function up(db: Knex): Promise<void> {
  for (const name of TABLES) {
    await db.schema.alterTable(name, (table) => {
      table.setNullable('assistant_id');
    });
  }
}

/** The older form has no place for such runs: they go. */
export async function down(db: Knex): Promise<void> {
  const direct = db('runs').whereNull('assistant_id').select('id');
  // Keys are not followed while a table is rebuilt.
  await db('run_steps').whereIn('run_id', direct).delete();
  for (const name of TABLES) {
    await db(name).whereNull('assistant_id').delete();
    await db.schema.alterTable(name, (table) => {
      table.dropNullable('assistant_id');
    });
  }
}
