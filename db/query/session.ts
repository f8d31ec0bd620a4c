import type { Knex } from 'knex';
import { rawRows } from './raw-rows.js';

/** One connection of PostgreSQL, for work that is more than a transaction and that only one process may be at. */
export interface Session {
  rows<Row>(sql: string, bindings?: readonly Knex.Value[]): Promise<readonly Row[]>;
  transaction<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T>;
}

interface Locked<T> {
  /** Any fixed number will do, as long as nothing else in the database locks on it. */
  readonly lock: number;
  /** Ends the statement that is under way, which may be one of minutes. */
  readonly signal: AbortSignal;
  readonly work: (session: Session) => Promise<T>;
}

/**
 * Undefined when another process is at it, or the signal came before the end. The lock is one of the connection, which a
 * killed process loses; and not of a transaction, because an index that nobody waits for is not built inside one.
 */
export async function whileLocked<T>(db: Knex, { lock, signal, work }: Locked<T>): Promise<T | undefined> {
  const client = db.client as Knex.Client;
  const connection: unknown = await client.acquireConnection();
  const session: Session = {
    rows: (sql, bindings = []) => rawRows(db, sql, bindings, connection),
    transaction: (steps) => db.transaction(steps, { connection }),
  };
  let cancelling: Promise<unknown> | undefined;
  try {
    const [taken] = await session.rows<{ readonly held: boolean; readonly pid: number }>(
      'SELECT pg_try_advisory_lock(?) AS held, pg_backend_pid() AS pid',
      [lock],
    );
    if (!taken?.held) return undefined;
    const cancel = () => {
      cancelling = db.raw('SELECT pg_cancel_backend(?)', [taken.pid]).then(nothing, nothing);
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await work(session);
    } catch (fault) {
      if (!signal.aborted) throw fault;
      return undefined;
    } finally {
      signal.removeEventListener('abort', cancel);
      // Not while it could still end what comes next.
      await cancelling;
      await session.rows('SELECT pg_advisory_unlock(?)', [lock]);
    }
  } finally {
    await client.releaseConnection(connection);
  }
}

const nothing = () => undefined;
