import type { Knex } from 'knex';

/** Columns that refer to people and things which may go: without an index the whole table is read to see who refers to one. */
const REFERENCES = {
  approvals: 'user_id',
  assistant_shares: 'shared_by',
  assistant_versions: 'author_id',
  budget_alerts: 'user_id',
  lti_activities: 'evaluation_assistant_id',
  lti_erasures: 'activity_id',
};

export async function up(db: Knex): Promise<void> {
  for (const [name, column] of Object.entries(REFERENCES))
    await db.schema.alterTable(name, (table) => {
      table.index([column]);
    });
}

export async function down(db: Knex): Promise<void> {
  for (const [name, column] of Object.entries(REFERENCES))
    await db.schema.alterTable(name, (table) => {
      table.dropIndex([column]);
    });
}
