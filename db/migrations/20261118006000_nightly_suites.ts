import type { Knex } from 'knex';

/** Which runs of suites were begun by the clock: one for each assistant and night, whoever of many begins it. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('suite_runs', (table) => {
    table.text('night');
  });
  await db.raw('CREATE UNIQUE INDEX suite_runs_night ON suite_runs (assistant_id, night)');
  // Those few are found without reading all metadata.
  await db.raw(
    `CREATE INDEX assistants_nightly ON assistants (id) WHERE metadata LIKE '%"nightly_suite"%' AND deleted_at IS NULL`,
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw('DROP INDEX assistants_nightly');
  await db.raw('DROP INDEX suite_runs_night');
  await db.raw('ALTER TABLE suite_runs DROP COLUMN night');
}
