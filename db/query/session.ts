import type { Knex } from 'knex';
import { rawRows } from './raw-rows.js';

/** One connection of PostgreSQL, for work that is more than a transaction and that only one process may be at. */
export interface Session {
  rows<Row>(sql: string, bindings?: readonly Knex.Value[]): Promise<readonly Row[]>;
  transaction<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>;
}

/**
 * Undefined when another process is at it. The lock is one of the connection, which a killed process loses; and not of a
 * transaction, because an index that nobody waits for is not built inside one.
 */
export async function whileLocked<T>(
  db: Knex,
  lock: number,
  work: (session: Session) => Promise<T>,
): Promise<T | undefined> {
  const client = db.client as Knex.Client;
  const connection: unknown = await client.acquireConnection();
  const session: Session = {
    rows: (sql, bindings = []) => rawRows(db, sql, bindings, connection),
    transaction: (steps) => db.transaction(steps, { connection }),
  };
  try {
    const [taken] = await session.rows<{ readonly held: boolean }>('SELECT pg_try_advisory_lock(?) AS held', [
      lock,
    ]);
    if (!taken?.held) return undefined;
    try {
      return await work(session);
    } finally {
      await session.rows('SELECT pg_advisory_unlock(?)', [lock]);
    }
  } finally {
    await client.releaseConnection(connection);
  }
}
