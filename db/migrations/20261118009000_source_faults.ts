import type { Knex } from 'knex';

const COLUMNS = ['error_code', 'error_values'];

/** Which reason it is that a source was not brought in step, with the names and numbers of its sentence in JSON. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('source_runs', (table) => {
    for (const name of COLUMNS) table.text(name);
  });
}

export async function down(db: Knex): Promise<void> {
  for (const name of COLUMNS) await db.raw(`ALTER TABLE source_runs DROP COLUMN ${name}`);
}
