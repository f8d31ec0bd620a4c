import type { Knex } from 'knex';

type Columns = readonly string[];

/** By table: what a list goes along from its newest row, as far as its page. */
const NEEDED: Readonly<Record<string, readonly Columns[]>> = {
  users: [['organization_id', 'id']],
  // By who may see one, or by name. Not by what else is filtered: such an index would be taken for the narrower one.
  assistants: [
    ['owner_id', 'id'],
    ['organization_id', 'id'],
    ['organization_id', 'published', 'id'],
    ['publish_scope', 'published', 'id'],
    ['name', 'id'],
  ],
  assistant_shares: [['user_id', 'assistant_id']],
  rubrics: [
    ['owner_id', 'created_at', 'id'],
    ['organization_id', 'created_at', 'id'],
    ['organization_id', 'is_public', 'created_at', 'id'],
  ],
  prompt_templates: [
    ['owner_id', 'id'],
    ['organization_id', 'id'],
    ['organization_id', 'is_shared', 'id'],
  ],
};

/** Beginnings of those above, and what no question goes along: each would be written with every row for nothing. */
const NEEDLESS: Readonly<Record<string, readonly Columns[]>> = {
  users: [['organization_id']],
  assistants: [['owner_id'], ['organization_id'], ['published', 'publish_scope']],
  assistant_shares: [['user_id']],
  rubrics: [['owner_id'], ['organization_id']],
  prompt_templates: [['organization_id']],
  conversations: [['assistant_id']],
  runs: [['parent_run_id'], ['assistant_id', 'started_at']],
  // Usage is asked for by organisation or user and time; those two indexes stay.
  usage_ledger: [['run_id'], ['assistant_id', 'created_at']],
};

export async function up(db: Knex): Promise<void> {
  await drop(db, NEEDLESS);
  await create(db, NEEDED);
}

export async function down(db: Knex): Promise<void> {
  await drop(db, NEEDED);
  await create(db, NEEDLESS);
}

async function create(db: Knex, indexes: typeof NEEDED): Promise<void> {
  for (const [name, each] of Object.entries(indexes)) {
    await db.schema.alterTable(name, (table) => {
      for (const columns of each) table.index(columns);
    });
  }
}

async function drop(db: Knex, indexes: typeof NEEDED): Promise<void> {
  for (const [name, each] of Object.entries(indexes)) {
    await db.schema.alterTable(name, (table) => {
      for (const columns of each) table.dropIndex(columns);
    });
  }
}
