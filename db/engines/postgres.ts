import knex, { type Knex } from 'knex';
import pg from 'pg';
import {
  ALL_CHANGES,
  createAsk,
  createAskedChanges,
  type Generations,
  TOTAL_OF_CHANGES,
} from '../cache/table-versions.js';
import { prepareStatement } from '../query/prepared.js';
import { isLockedByOthers } from '../query/refusals.js';
import { ACQUIRE_TIMEOUT_MS, CONNECT_TIMEOUT_MS, type Engine, MIGRATION_WAIT_MS } from './engine.js';
import { orAway, orNotReached } from './postgres-away.js';
import { openPostgresNews } from './postgres-news.js';
import { endWhenSilent } from './postgres-silence.js';

/** Any fixed number will do, as long as nothing else in the database locks on it. */
const MIGRATION_LOCK = 0x42454c4c;

/**
 * Whoever asks for a table that a migration waits for waits behind it. Processes that serve refuse after five seconds
 * (`connection-wait.ts`): before that the migration gives way, and tries again.
 */
const TABLE_WAIT_MS = 2_000;

const INT8: number = pg.types.builtins.INT8;
const parserOf = pg.types.getTypeParser as (oid: number, format: string) => unknown;

/** Counts arrive as int8; they are far below 2^53. Set per connection: pg's own table is shared by all. */
const types: Knex.PgCustomTypesConfig = {
  getTypeParser: (oid, format): unknown => (oid === INT8 ? Number : parserOf(oid, format)),
};

/** What knex has but its types do not tell. */
interface Connecting extends Knex.Client {
  acquireConnection(): Promise<unknown>;
  query(connection: unknown, query: unknown): Promise<unknown>;
}

/** Knex's own for PostgreSQL, which it shows by one that is connected to nothing. */
const PostgresClient = (knex({ client: 'pg' }).client as object).constructor as new (
  config: Knex.Config,
) => Connecting;

/** Whatever is asked of the database comes through here, in transactions too. */
class TellingWhenAway extends PostgresClient {
  constructor(config: Knex.Config) {
    // By its name, as whoever asks which database it is expects it.
    super({ ...config, client: 'pg' });
  }

  override acquireConnection() {
    return super.acquireConnection().catch(orNotReached);
  }

  override query(connection: unknown, query: unknown) {
    return super.query(connection, query).catch(orAway);
  }
}

/** How long a server may take to greet somebody: only whether it is there is asked. */
const GREETING_MS = 1_500;

/** Whoever refuses is there as well, such as a server that has no room for another connection. */
async function isThere(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: GREETING_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (fault) {
    return fault instanceof pg.DatabaseError;
  } finally {
    client.end().catch(() => undefined);
  }
}

export function postgresEngine(url: string): Engine {
  return {
    config: {
      client: TellingWhenAway as unknown as typeof Knex.Client,
      connection: { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, types },
      acquireConnectionTimeout: ACQUIRE_TIMEOUT_MS,
      pool: { min: 0, max: 10 },
    },
    async lockForMigration(trx) {
      await trx.raw(`SET LOCAL lock_timeout = ${String(MIGRATION_WAIT_MS)}`);
      // Held by the transaction, so a killed process gives it back.
      await trx.raw('SELECT pg_advisory_xact_lock(?)', [MIGRATION_LOCK]);
      await trx.raw(`SET LOCAL lock_timeout = ${String(TABLE_WAIT_MS)}`);
    },
    isInUse: isLockedByOthers,
    afterMigration: () => Promise.resolve(),
    watchServer: (db) => endWhenSilent(db, () => isThere(url)),
    watchChanges(db) {
      const prepared = (name: string, sql: string) =>
        prepareStatement(db, { name, sqlite: sql, postgres: sql });
      const total = prepared('total_of_changes', TOTAL_OF_CHANGES);
      const all = prepared('all_changes', ALL_CHANGES);
      const ask = createAsk({
        total: async () => ((await total()) as [{ readonly total: number }])[0].total,
        all: async () => ((await all()) as [Generations])[0],
      });
      return Promise.resolve({ ...createAskedChanges(ask), close: () => Promise.resolve() });
    },
    openNews: (db, options) => openPostgresNews(url, db, options),
  };
}
