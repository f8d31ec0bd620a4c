import type { Knex } from 'knex';

/** Assistants that an organisation keeps for its people to begin with. They outlive the account of whoever made them. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('assistant_templates', (table) => {
    table.increments('id');
    table.integer('organization_id').notNullable().references('organizations.id').onDelete('CASCADE');
    table.integer('owner_id').references('users.id').onDelete('SET NULL').index();
    // As JSON: the assistant as its author wrote it, without what is theirs; and a rubric to make with it.
    table.text('assistant').notNullable();
    table.text('rubric');
    table.boolean('is_shared').notNullable().defaultTo(false);
    table.text('created_at').notNullable();
    table.index(['organization_id', 'id']);
    table.index(['is_shared', 'id']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('assistant_templates');
}
