import type { Knex } from 'knex';

/** Links by which people without an account chat with one assistant, and the visits that came by them. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('assistant_links', (table) => {
    table.increments('id');
    table.integer('assistant_id').notNullable().references('assistants.id').onDelete('CASCADE');
    table.integer('created_by').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('token_hash').notNullable().unique();
    // The same token, so that whoever looks after the link can show it again.
    table.text('token_sealed').notNullable();
    // A link ends with the budget it spends: without it there would be nothing to bound it.
    table.text('budget_id').references('budgets.id').onDelete('CASCADE').index();
    table.text('expires_at');
    table.text('created_at').notNullable();
    table.index(['assistant_id', 'id']);
  });
  await db.schema.createTable('link_visits', (table) => {
    table.increments('id');
    // Null once the link is gone: what the visitor has left behind still has to be taken away.
    table.integer('link_id').references('assistant_links.id').onDelete('SET NULL').index();
    table.integer('user_id').notNullable().unique().references('users.id').onDelete('CASCADE');
    table.text('token_hash').notNullable().unique();
    table.text('expires_at').notNullable().index();
    // When what was said was taken away; the record of its runs stays for some time.
    table.text('forgotten_at').index();
    table.text('created_at').notNullable();
  });
  for (const name of COUNTED) await countGenerations(db, name);
}

const COUNTED = ['assistant_links', 'link_visits'];

/** Both are read at every turn of a visitor's chat, and so kept in memory: the database counts what happens to them. */
async function countGenerations(db: Knex, name: string): Promise<void> {
  const onPostgres = (db.client as Knex.Client).config.client === 'pg';
  await db.schema.alterTable('generations', (table) => {
    table.bigInteger(name).notNullable().defaultTo(0);
  });
  for (const event of ['update', 'delete']) {
    await db.raw(
      onPostgres
        ? `CREATE CONSTRAINT TRIGGER ${name}_${event}_counted AFTER ${event} ON ${name}
           DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_generation()`
        : `CREATE TRIGGER ${name}_${event}_counted AFTER ${event} ON ${name}
           BEGIN UPDATE generations SET ${name} = ${name} + 1; END`,
    );
  }
  if (onPostgres) {
    await db.raw(`CREATE TRIGGER ${name}_truncate_counted AFTER TRUNCATE ON ${name}
      FOR EACH STATEMENT EXECUTE FUNCTION count_generation()`);
  }
}

export async function down(db: Knex): Promise<void> {
  await db.schema.dropTable('link_visits');
  await db.schema.dropTable('assistant_links');
  for (const name of COUNTED) await db.raw(`ALTER TABLE generations DROP COLUMN ${name}`);
}
