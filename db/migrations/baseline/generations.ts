import type { Knex } from 'knex';

/** What is read at every chat, and so kept in memory. */
const TABLES = [
  ...[
    'organizations',
    'users',
    'api_keys',
    'sessions',
    'assistants',
    'assistant_shares',
    'rubrics',
    'collections',
  ],
  // At every turn of a chat that comes from a learning platform.
  ...[
    'lti_platforms',
    'lti_sessions',
    'lti_people',
    'lti_activities',
    'lti_activity_assistants',
    'lti_consents',
  ],
];

/**
 * One row of counters, one for each table. The database itself counts, so that no writer can forget to: not another
 * process, not an import, not an administrator at a prompt. Rows that are new were in nobody's memory.
 */
export async function createGenerations(db: Knex, onPostgres: boolean): Promise<void> {
  await db.schema.createTable('generations', (table) => {
    for (const name of TABLES) table.bigInteger(name).notNullable().defaultTo(0);
  });
  await db('generations').insert({ users: 0 });
  await (onPostgres ? countInPostgres(db) : countInSqlite(db));
}

async function countInSqlite(db: Knex): Promise<void> {
  for (const name of TABLES) {
    for (const event of ['update', 'delete']) {
      await db.raw(
        `CREATE TRIGGER ${name}_${event}_counted AFTER ${event} ON ${name}
         BEGIN UPDATE generations SET ${name} = ${name} + 1; END`,
      );
    }
  }
}

/**
 * Deferred to the commit, when every other lock is held already, and one row for all: writers wait for each other there
 * and nowhere else. Once for each transaction, however many rows it changes.
 */
async function countInPostgres(db: Knex): Promise<void> {
  await db.raw(`
    CREATE FUNCTION count_generation() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE counted text := 'bellwether.counted_' || TG_TABLE_NAME;
    BEGIN
      IF coalesce(current_setting(counted, true), '') = '' THEN
        EXECUTE format('UPDATE generations SET %1$I = %1$I + 1', TG_TABLE_NAME);
        PERFORM set_config(counted, 'yes', true);
      END IF;
      RETURN NULL;
    END $$`);
  for (const name of TABLES) {
    for (const event of ['update', 'delete']) {
      await db.raw(
        `CREATE CONSTRAINT TRIGGER ${name}_${event}_counted AFTER ${event} ON ${name}
         DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_generation()`,
      );
    }
    await db.raw(
      `CREATE TRIGGER ${name}_truncate_counted AFTER TRUNCATE ON ${name}
       FOR EACH STATEMENT EXECUTE FUNCTION count_generation()`,
    );
  }
}
