import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('rubrics', (table) => {
    // Text, as rubrics of other installations have it, so that what names one keeps naming it.
    table.text('id').primary();
    table.integer('organization_id').notNullable().references('organizations.id').index();
    table.integer('owner_id').notNullable().references('users.id').index();
    table.text('title').notNullable();
    table.text('description').notNullable();
    table.text('data').notNullable();
    table.boolean('is_public').notNullable().defaultTo(false);
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.index(['created_at', 'id']);
  });
  await db.schema.createTable('prompt_templates', (table) => {
    table.increments('id');
    table.integer('organization_id').notNullable().references('organizations.id').index();
    table.integer('owner_id').notNullable().references('users.id');
    table.text('name').notNullable();
    table.text('description').notNullable();
    table.text('system_prompt').notNullable();
    table.text('prompt_template').notNullable();
    table.boolean('is_shared').notNullable().defaultTo(false);
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.unique(['owner_id', 'name']);
  });
  await db.schema.createTable('kb_registry', (table) => {
    // The knowledge base server's own id.
    table.text('kb_id').primary();
    table.text('name').notNullable();
    table.integer('organization_id').notNullable().references('organizations.id').index();
    table.integer('owner_id').notNullable().references('users.id').index();
    table.boolean('is_shared').notNullable().defaultTo(false);
    table.text('metadata').notNullable().defaultTo('{}');
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
  });
  // What came from another installation, and what it became here: importing twice changes nothing.
  await db.schema.createTable('imported_rows', (table) => {
    table.text('source').notNullable();
    table.text('kind').notNullable();
    table.text('source_id').notNullable();
    table.text('target_id').notNullable();
    table.text('created_at').notNullable();
    table.primary(['source', 'kind', 'source_id']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('imported_rows');
  await db.schema.dropTable('kb_registry');
  await db.schema.dropTable('prompt_templates');
  await db.schema.dropTable('rubrics');
}
