import type { Knex } from 'knex';

/** Assistants with their versions and shares, what they are made with, and what is said to them. */
export async function createAssistants(db: Knex): Promise<void> {
  await createAssistantTables(db);
  await createResources(db);
  await createConversations(db);
}

async function createAssistantTables(db: Knex): Promise<void> {
  await db.schema.createTable('assistants', (table) => {
    table.increments('id');
    table.integer('organization_id').notNullable().references('organizations.id');
    table.integer('owner_id').notNullable().references('users.id');
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
    // Derived from the metadata at write: no database can do that.
    table.text('assistant_type').notNullable();
    table.integer('version').notNullable().defaultTo(1);
    table.text('deleted_at');
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    // By who may see one, or by name. Not by what else is filtered: such an index would be taken for the narrower one.
    table.index(['owner_id', 'id']);
    table.index(['organization_id', 'id']);
    table.index(['organization_id', 'published', 'id']);
    table.index(['publish_scope', 'published', 'id']);
    table.index(['name', 'id']);
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
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table.integer('shared_by').notNullable().references('users.id');
    table.text('created_at').notNullable();
    table.primary(['assistant_id', 'user_id']);
    table.index(['user_id', 'assistant_id']);
  });
}

async function createResources(db: Knex): Promise<void> {
  await db.schema.createTable('rubrics', (table) => {
    // Text, as rubrics of other installations have it, so that what names one keeps naming it.
    table.text('id').primary();
    table.integer('organization_id').notNullable().references('organizations.id');
    table.integer('owner_id').notNullable().references('users.id');
    table.text('title').notNullable();
    table.text('description').notNullable();
    table.text('data').notNullable();
    table.boolean('is_public').notNullable().defaultTo(false);
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.index(['created_at', 'id']);
    table.index(['owner_id', 'created_at', 'id']);
    table.index(['organization_id', 'created_at', 'id']);
    table.index(['organization_id', 'is_public', 'created_at', 'id']);
  });
  await db.schema.createTable('prompt_templates', (table) => {
    table.increments('id');
    table.integer('organization_id').notNullable().references('organizations.id');
    table.integer('owner_id').notNullable().references('users.id');
    table.text('name').notNullable();
    table.text('description').notNullable();
    table.text('system_prompt').notNullable();
    table.text('prompt_template').notNullable();
    table.boolean('is_shared').notNullable().defaultTo(false);
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.unique(['owner_id', 'name']);
    table.index(['owner_id', 'id']);
    table.index(['organization_id', 'id']);
    table.index(['organization_id', 'is_shared', 'id']);
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

async function createConversations(db: Knex): Promise<void> {
  await db.schema.createTable('conversations', (table) => {
    table.text('id').primary();
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table.integer('assistant_id').notNullable().references('assistants.id');
    table.text('title').notNullable();
    table.text('created_at').notNullable();
    table.text('updated_at').notNullable();
    table.integer('rewinds').notNullable().defaultTo(0);
    table.integer('activity_id');
    // As it was when the conversation began.
    table.text('transcript_policy');
    table.index(['user_id', 'updated_at', 'id']);
  });
  await db.raw(`CREATE INDEX conversations_of_activities
    ON conversations (activity_id, updated_at, id) WHERE activity_id IS NOT NULL`);
  await db.schema.createTable('messages', (table) => {
    table.increments('id');
    table.text('conversation_id').notNullable().references('conversations.id').onDelete('CASCADE');
    table.text('role').notNullable();
    table.text('content').notNullable();
    // No foreign key: an answer is kept before its run is recorded, and after its run is forgotten.
    table.text('run_id');
    table.boolean('incomplete').notNullable().defaultTo(false);
    table.text('created_at').notNullable();
    table.text('details');
    // What is looked for in a message that is more than text; elsewhere the content itself is.
    table.text('words');
    table.index(['conversation_id', 'id']);
  });
}
