import type { Knex } from 'knex';

export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('assistants', (table) => {
    table.increments('id');
    table.integer('organization_id').notNullable().references('organizations.id').index();
    table.integer('owner_id').notNullable().references('users.id').index();
    table.text('name').notNullable();
    table.text('description').notNullable();
    table.text('system_prompt').notNullable();
    table.text('prompt_template').notNullable();
    // Exactly as stored: an imported installation may bring text that is no JSON at all.
    table.text('metadata');
    table.text('rag_collections').notNullable().defaultTo('');
    table.integer('rag_top_k');
    table.boolean('published').notNullable().defaultTo(false);
    table.text('publish_scope').notNullable().defaultTo('organization');
    table.boolean('enabled').notNullable().defaultTo(true);
    // Both derived at write: no database can derive a type from metadata, or fold the case of all of Unicode.
    table.text('assistant_type').notNullable();
    table.text('search_text').notNullable();
    table.integer('version').notNullable().defaultTo(1);
    table.text('deleted_at');
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.index(['published', 'publish_scope']);
  });
  await db.schema.createTable('assistant_versions', (table) => {
    table.increments('id');
    table.integer('assistant_id').notNullable().references('assistants.id').onDelete('CASCADE');
    table.integer('version').notNullable();
    table.text('content').notNullable();
    table.text('content_hash').notNullable();
    table.integer('author_id').notNullable().references('users.id');
    table.text('created_at').notNullable();
    table.unique(['assistant_id', 'version']);
  });
  await db.schema.createTable('assistant_shares', (table) => {
    table.integer('assistant_id').notNullable().references('assistants.id').onDelete('CASCADE');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.integer('shared_by').notNullable().references('users.id');
    table.text('created_at').notNullable();
    table.primary(['assistant_id', 'user_id']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('assistant_shares');
  await db.schema.dropTable('assistant_versions');
  await db.schema.dropTable('assistants');
}
