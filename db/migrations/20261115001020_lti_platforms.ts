import type { Knex } from 'knex';

/** Learning platforms that may launch. Of each kind's own columns, the other kind's are empty. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('lti_platforms', (table) => {
    table.increments('id');
    table.integer('organization_id').notNullable().references('organizations.id');
    table.text('kind').notNullable();
    table.text('name').notNullable();
    table.boolean('enabled').notNullable();
    table.text('issuer');
    table.text('client_id');
    table.text('deployment_ids');
    table.text('auth_login_url');
    table.text('auth_token_url');
    table.text('key_set_url');
    table.text('consumer_key');
    // Sealed.
    table.text('shared_secret');
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.index(['organization_id', 'id']);
    // A launch names nothing else, so each must lead to one platform, whatever its organisation.
    table.unique(['issuer', 'client_id']);
    table.unique(['consumer_key']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('lti_platforms');
}
