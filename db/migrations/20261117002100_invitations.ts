import type { Knex } from 'knex';

/** People who are asked to make an account of their own. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('invitations', (table) => {
    table.increments('id');
    table.integer('organization_id').notNullable().references('organizations.id').onDelete('CASCADE');
    table.text('email').notNullable();
    // What they are called, where it is known; they may say otherwise.
    table.text('name').notNullable();
    table.text('role').notNullable();
    table.text('token_hash').notNullable().unique();
    // By whose right: one that is gone takes its invitations along.
    table.integer('created_by').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('expires_at').notNullable().index();
    table.text('created_at').notNullable();
    table.unique(['organization_id', 'email']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('invitations');
}
