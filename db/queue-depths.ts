import type { Knex } from 'knex';
import { isPostgres, rawRows } from './query/raw-rows.js';
import { now } from './query/values.js';

/** How much waits or is being worked on, by queue, in all processes: what is counted stands in the database. */
export function createQueueDepths(db: Knex): () => Promise<Readonly<Record<string, number>>> {
  // SQLite, which knows no sizes, would go through all that has been read.
  const documents = isPostgres(db) ? 'documents' : 'documents INDEXED BY documents_waiting';
  const counting = [
    `SELECT 'documents' AS queue, count(*) AS depth FROM ${documents} WHERE work IS NOT NULL`,
    `SELECT 'sources', count(*) FROM sources WHERE next_run_at IS NOT NULL AND next_run_at <= ?`,
    `SELECT 'evaluations', count(*) FROM lti_submissions WHERE work = 'evaluate'`,
    `SELECT 'grades', count(*) FROM lti_submissions WHERE work = 'post'`,
    `SELECT 'alerts', count(*) FROM budget_alerts WHERE next_try_at IS NOT NULL`,
  ].join(' UNION ALL ');

  return async () => {
    const rows = await rawRows<{ readonly queue: string; readonly depth: number }>(db, counting, [now()]);
    return Object.fromEntries(rows.map(({ queue, depth }) => [queue, depth]));
  };
}
