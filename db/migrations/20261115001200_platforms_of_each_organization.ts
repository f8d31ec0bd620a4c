import type { Knex } from 'knex';

/**
 * What one organisation registers is no business of another's: a signature says whose consumer key is meant, and of
 * several who name the same site the one that holds it is found at the login.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('lti_platforms', (table) => {
    table.dropUnique(['issuer', 'client_id']);
    table.dropUnique(['consumer_key']);
  });
  await db.schema.alterTable('lti_platforms', (table) => {
    table.unique(['issuer', 'client_id', 'organization_id']);
    table.unique(['consumer_key', 'organization_id']);
  });
}

/** Not possible any more where two organisations share a key. */
export async function down(db: Knex): Promise<void> {
  await db.schema.alterTable('lti_platforms', (table) => {
    table.dropUnique(['issuer', 'client_id', 'organization_id']);
    table.dropUnique(['consumer_key', 'organization_id']);
  });
  await db.schema.alterTable('lti_platforms', (table) => {
    table.unique(['issuer', 'client_id']);
    table.unique(['consumer_key']);
  });
}
