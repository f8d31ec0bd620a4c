import type { Knex } from 'knex';

/** What a chat of a launch asks at every turn, and is kept in memory as well. */
const TABLES = [
  'lti_platforms',
  'lti_sessions',
  'lti_people',
  'lti_activities',
  'lti_activity_assistants',
  'lti_consents',
] as const;

export async function up(db: Knex): Promise<void> {
  for (const name of TABLES) {
    await db.schema.alterTable('generations', (table) => {
      table.bigInteger(name).notNullable().defaultTo(0);
    });
    await (isPostgres(db) ? countInPostgres(db, name) : countInSqlite(db, name));
  }
}

export async function down(db: Knex): Promise<void> {
  for (const name of TABLES) {
    for (const event of ['update', 'delete', 'truncate']) {
      const on = isPostgres(db) ? ` ON ${name}` : '';
      await db.raw(`DROP TRIGGER IF EXISTS ${name}_${event}_counted${on}`);
    }
    await db.raw(`ALTER TABLE generations DROP COLUMN ${name}`);
  }
}

async function countInSqlite(db: Knex, name: string): Promise<void> {
  for (const event of ['update', 'delete']) {
    await db.raw(
      `CREATE TRIGGER ${name}_${event}_counted AFTER ${event} ON ${name}
       BEGIN UPDATE generations SET ${name} = ${name} + 1; END`,
    );
  }
}

async function countInPostgres(db: Knex, name: string): Promise<void> {
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

function isPostgres(db: Knex): boolean {
  return (db.client as { readonly dialect: string }).dialect === 'postgresql';
}
