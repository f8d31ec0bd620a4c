import type { Knex } from 'knex';
import type { TicketStore } from '../../src/core/launch-stores.js';

interface TicketRow {
  readonly payload: string;
  readonly expires_at: string;
}

export function createTicketStore(db: Knex): TicketStore {
  return {
    async leave({ purpose, hash, payload, expiresAt }) {
      const left = (await db('one_time_tickets')
        .insert({ purpose, hash, payload, expires_at: expiresAt })
        .onConflict(['purpose', 'hash'])
        .ignore()
        .returning('hash')) as unknown[];
      return left.length > 0;
    },

    async take(purpose, hash, now) {
      // One statement: of two who come at once, one gets it.
      const rows: readonly TicketRow[] = await db('one_time_tickets')
        .where({ purpose, hash })
        .del(['payload', 'expires_at']);
      const [taken] = rows;
      return taken && taken.expires_at > now ? taken.payload : undefined;
    },

    async sweep(now) {
      return db('one_time_tickets').where('expires_at', '<=', now).del();
    },
  };
}
