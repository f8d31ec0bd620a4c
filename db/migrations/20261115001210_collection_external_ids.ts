import type { Knex } from 'knex';

/** Each organisation has a server of its own, so two of them may have a collection of the same number. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('collections', (table) => {
    table.text('external_id');
    table.unique(['organization_id', 'external_id']);
  });
  await db('collections')
    .where({ place: 'server' })
    .update({ external_id: db.ref('id') });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('collections', (table) => {
    table.dropUnique(['organization_id', 'external_id']);
    table.dropColumn('external_id');
  });
}
