import type { Knex } from 'knex';

/** What people have let programs do in their name (OAuth 2.1), from the code to the last token. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('oauth_grants', (table) => {
    table.increments('id');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    // Of the client's id, which may be long: a registration is held by the client itself.
    table.text('client_hash').notNullable();
    table.text('client_name').notNullable();
    table.text('redirect_uri').notNullable();
    table.text('resource').notNullable();
    table.text('code_hash').notNullable().unique();
    table.text('code_challenge').notNullable();
    // Null until the code is traded; the same through all rounds of refreshing.
    table.text('family_hash').unique();
    table.integer('round').notNullable().defaultTo(0);
    table.text('access_hash').unique();
    table.text('access_expires_at');
    // Of the code, and of the newest refresh token afterwards.
    table.text('expires_at').notNullable().index();
    table.text('created_at').notNullable();
    table.text('refreshed_at');
    table.index(['user_id', 'id']);
  });
  await countGenerations(db);
}

/** Tokens are credentials, which are kept in memory: the database counts what happens to them. */
async function countGenerations(db: Knex): Promise<void> {
  const onPostgres = (db.client as Knex.Client).config.client === 'pg';
  await db.schema.alterTable('generations', (table) => {
    table.bigInteger('oauth_grants').notNullable().defaultTo(0);
  });
  for (const event of ['update', 'delete']) {
    await db.raw(
      onPostgres
        ? `CREATE CONSTRAINT TRIGGER oauth_grants_${event}_counted AFTER ${event} ON oauth_grants
           DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_generation()`
        : `CREATE TRIGGER oauth_grants_${event}_counted AFTER ${event} ON oauth_grants
           BEGIN UPDATE generations SET oauth_grants = oauth_grants + 1; END`,
    );
  }
  if (onPostgres) {
    await db.raw(`CREATE TRIGGER oauth_grants_truncate_counted AFTER TRUNCATE ON oauth_grants
      FOR EACH STATEMENT EXECUTE FUNCTION count_generation()`);
  }
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('oauth_grants');
  await db.raw('ALTER TABLE generations DROP COLUMN oauth_grants');
}
