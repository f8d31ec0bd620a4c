import type { Knex } from 'knex';
import { MIGRATION_WAIT_MS } from './engines/engine.js';
import { isPostgres } from './query/raw-rows.js';

/** Any fixed numbers will do, as long as nothing else in the database locks on them (`engines/postgres.ts` does, too). */
const LOCKS = { preparing: 0x42454c4d, sweeping: 0x42454c4e };

/**
 * What one process at a time does of all that share a database. On PostgreSQL they are on several machines and each of
 * those has one that prepares and sweeps; on SQLite there is one machine, and so one such process.
 */
export interface Turns {
  /** After whoever is at it now: then it finds done what they did. */
  prepare<T>(work: () => Promise<T>): Promise<T>;
  /** Not at all while another is at it: what there is to do is being done. */
  sweep<T>(work: () => Promise<T>): Promise<T | undefined>;
}

export function createTurns(db: Knex): Turns {
  if (!isPostgres(db)) return { prepare: (work) => work(), sweep: (work) => work() };
  // Locks of a transaction: a killed process gives them back. Its own statements go by other connections.
  return {
    prepare: (work) =>
      db.transaction(async (trx) => {
        await trx.raw(`SET LOCAL lock_timeout = ${String(MIGRATION_WAIT_MS)}`);
        await trx.raw('SELECT pg_advisory_xact_lock(?)', [LOCKS.preparing]);
        return work();
      }),
    sweep: (work) =>
      db.transaction(async (trx) => {
        const { rows } = await trx.raw<{ rows: { free: boolean }[] }>(
          'SELECT pg_try_advisory_xact_lock(?) AS free',
          [LOCKS.sweeping],
        );
        return rows[0]?.free ? work() : undefined;
      }),
  };
}
