import type { Knex } from 'knex';

/** The names of private files whose bytes are in object storage. Where they are on disk, these stay empty. */
export async function up(db: Knex): Promise<void> {
  const onPostgres = (db.client as Knex.Client).config.client === 'pg';
  // What lies below a folder is a range of paths, in the order of their bytes.
  const ordered = onPostgres ? 'text COLLATE "C"' : 'text';

  await db.schema.createTable('file_blobs', (table) => {
    table.text('key').primary();
    // Whose bytes they are: when the account is gone they still have to be taken away, so nothing refers to it.
    table.integer('owner_id').notNullable().index();
    table.bigInteger('size').notNullable();
    // "arriving" until a name refers to it, "named" for as long as one does, "doomed" for good afterwards.
    table.text('state').notNullable();
    table.text('changed_at').notNullable();
    table.index(['state', 'changed_at']);
  });
  await db.schema.createTable('files', (table) => {
    table.integer('owner_id').notNullable().references('users.id').onDelete('CASCADE');
    table.specificType('path', ordered).notNullable();
    // In lower case: two paths that differ in nothing else are not both there.
    table.specificType('folded', ordered).notNullable();
    table.text('blob').notNullable().unique().references('file_blobs.key');
    table.bigInteger('size').notNullable();
    table.text('updated_at').notNullable();
    table.primary(['owner_id', 'path']);
    table.unique(['owner_id', 'folded']);
  });
  await db.schema.createTable('file_backups', (table) => {
    table.increments('id');
    table.integer('owner_id').notNullable().references('users.id').onDelete('CASCADE');
    table.specificType('path', ordered).notNullable();
    table.text('blob').notNullable().unique().references('file_blobs.key');
    table.text('created_at').notNullable();
    table.index(['owner_id', 'path', 'id']);
  });
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('file_backups');
  await db.schema.dropTable('files');
  await db.schema.dropTable('file_blobs');
}
