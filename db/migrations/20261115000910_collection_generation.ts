import type { Knex } from 'knex';

/** Whether a chat may use a knowledge base is asked each time, so collections are kept in memory as well. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('generations', (table) => {
    table.bigInteger('collections').notNullable().defaultTo(0);
  });
  await (isPostgres(db) ? countInPostgres(db) : countInSqlite(db));
}

export async function down(db: Knex): Promise<void> {
  for (const event of ['update', 'delete', 'truncate']) {
    const on = isPostgres(db) ? ' ON collections' : '';
    await db.raw(`DROP TRIGGER IF EXISTS collections_${event}_counted${on}`);
  }
  await db.raw('ALTER TABLE generations DROP COLUMN collections');
}

async function countInSqlite(db: Knex): Promise<void> {
  for (const event of ['update', 'delete']) {
    await db.raw(
      `CREATE TRIGGER collections_${event}_counted AFTER ${event} ON collections
       BEGIN UPDATE generations SET collections = collections + 1; END`,
    );
  }
}

async function countInPostgres(db: Knex): Promise<void> {
  for (const event of ['update', 'delete']) {
    await db.raw(
      `CREATE CONSTRAINT TRIGGER collections_${event}_counted AFTER ${event} ON collections
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_generation()`,
    );
  }
  await db.raw(
    `CREATE TRIGGER collections_truncate_counted AFTER TRUNCATE ON collections
     FOR EACH STATEMENT EXECUTE FUNCTION count_generation()`,
  );
}

function isPostgres(db: Knex): boolean {
  return (db.client as { readonly dialect: string }).dialect === 'postgresql';
}
