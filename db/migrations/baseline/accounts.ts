import type { Knex } from 'knex';

/** Organisations, the people in them, and what they prove themselves with. */
export async function createAccounts(db: Knex): Promise<void> {
  await db.schema.createTable('organizations', (table) => {
    table.increments('id');
    table.text('slug').notNullable().unique();
    table.text('name').notNullable();
    table.boolean('is_system').notNullable().defaultTo(false);
    table.text('config').notNullable().defaultTo('{}');
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
  });
  await db.schema.createTable('users', (table) => {
    table.increments('id');
    table.integer('organization_id').notNullable().references('organizations.id');
    table.text('email').notNullable().unique();
    table.text('name').notNullable();
    table.text('role').notNullable();
    table.boolean('enabled').notNullable().defaultTo(true);
    table.text('password_hash');
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.index(['organization_id', 'id']);
  });
  await db.schema.createTable('api_keys', (table) => {
    table.increments('id');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table.text('name').notNullable();
    table.text('prefix').notNullable();
    table.text('hash').notNullable().unique();
    table.boolean('trusted_proxy').notNullable().defaultTo(false);
    table.text('expires_at');
    table.text('created_at').notNullable();
    table.index(['user_id', 'id']);
  });
  await db.schema.createTable('sessions', (table) => {
    table.increments('id');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('hash').notNullable().unique();
    table.text('expires_at').notNullable();
    table.text('created_at').notNullable();
  });
}
