import type { Knex } from 'knex';
import type { TicketStore } from '../../../src/core/lti/launch-stores.js';

interface TicketRow {
  readonly purpose: string;
  readonly hash: string;
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
      const ticket = () => db('one_time_tickets').where({ purpose, hash });
      const found = await ticket().first<TicketRow | undefined>('payload', 'expires_at');
      // Of two who come at once both have read it, and one has torn it off.
      const isTorn = found !== undefined && (await ticket().del()) === 1;
      return isTorn && found.expires_at > now ? found.payload : undefined;
    },

    async sweep(now) {
      return db('one_time_tickets').where('expires_at', '<=', now).del();
    },
  };
}
