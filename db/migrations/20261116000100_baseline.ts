import type { Knex } from 'knex';
import { createAccounts } from './baseline/accounts.js';
import { createAssistants } from './baseline/assistants.js';
import { createGenerations } from './baseline/generations.js';
import { createKnowledge } from './baseline/knowledge.js';
import { createLti } from './baseline/lti.js';
import { createRuns } from './baseline/runs.js';

/** In the order in which they can be dropped: what refers to others before what it refers to. */
const TABLES = [
  ...['lti_erasures', 'lti_submissions', 'lti_sessions', 'lti_consents', 'lti_participants'],
  ...['lti_activity_assistants', 'lti_activities', 'lti_people', 'lti_keys', 'lti_platforms'],
  'one_time_tickets',
  ...['vector_pages', 'passage_vectors', 'term_counts', 'passages', 'sections', 'editions'],
  ...['documents', 'collections'],
  ...['approvals', 'audit', 'usage_ledger', 'run_steps', 'runs'],
  ...['imported_rows', 'prompt_templates', 'rubrics', 'messages', 'conversations'],
  ...['assistant_shares', 'assistant_versions', 'assistants'],
  ...['sessions', 'api_keys', 'users', 'organizations'],
  // Counts what becomes of the others.
  'generations',
];

/** The whole schema, as the single migrations before it had made it by then (`db/squashed-migrations.ts`). */
export async function up(db: Knex): Promise<void> {
  const onPostgres = isPostgres(db);
  await createAccounts(db);
  await createAssistants(db);
  await createRuns(db);
  await createKnowledge(db, onPostgres);
  await createLti(db);
  await createGenerations(db, onPostgres);
}

export async function down(db: Knex): Promise<void> {
  const onPostgres = isPostgres(db);
  if (!onPostgres) await db.schema.dropTable('passage_index');
  for (const table of TABLES) await db.schema.dropTable(table);
  if (onPostgres) await db.raw('DROP FUNCTION count_generation()');
}

function isPostgres(db: Knex): boolean {
  return (db.client as { readonly dialect: string }).dialect === 'postgresql';
}
