import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { RateLimitStore } from '../../../src/core/access/rate-limit.js';
import { orAway } from '../../engines/postgres-away.js';

const TABLE = 'rate_limits';

/** On SQLite the processes of the one machine count without it, and there is nothing to sweep. */
export function createRateLimitStore(db: Knex): RateLimitStore {
  return {
    counter(name, { points, seconds }) {
      const counter = new RateLimiterPostgres({
        ...{ storeClient: db, storeType: 'knex', tableName: TABLE, tableCreated: true },
        ...{ keyPrefix: name, points, duration: seconds, clearExpiredByTimeout: false },
        // Once it is all spent nobody has to ask again before there is more.
        inMemoryBlockOnConsumed: points,
      });
      return {
        // It asks past knex, which would tell that the database is away. Then nobody is let through: whoever can keep the
        // database busy could otherwise try passwords without end, and nothing else is answered at such a time either.
        consume: (key, taken) => counter.consume(hashed(key), taken).catch(orAway),
      };
    },
    sweep: (at) => db(TABLE).where('expire', '<', Date.parse(at)).del(),
  };
}

/** Keys are addresses and e-mails, of any length, and stay until they are swept. */
const hashed = (key: string) => createHash('sha256').update(key).digest('base64url');
