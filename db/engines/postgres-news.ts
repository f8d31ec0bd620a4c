import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import pg from 'pg';
import { errorLocation } from '../../src/core/log.js';
import { CONNECT_TIMEOUT_MS, type News, type NewsOptions } from './engine.js';

const CHANNEL = 'bellwether';
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** Nothing is ever sent on it: that the other end is gone shows by what the system sends. */
const KEEP_ALIVE_MS = 10_000;
/** A server that does not say goodbye keeps no process from stopping. */
const GOODBYE_MS = 1_000;

/** What pg has but its types do not tell. */
type Client = pg.Client & { unref(): void };

/**
 * Tells by any connection and hears by one of its own, which comes back by itself when it is lost. What is told meanwhile
 * is never heard, so nothing may be told here that must be heard: what is trusted is asked of the database
 * (docs/decisions/0138-what-stays-in-memory.md).
 */
export async function openPostgresNews(url: string, db: Knex, { heard, log }: NewsOptions): Promise<News> {
  const closing = new AbortController();
  let client: Client | undefined;
  let failures = 0;

  const listen = async (): Promise<void> => {
    const next = new pg.Client({
      ...{ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS },
      ...{ keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS },
    }) as Client;
    client = next;
    const over = new Promise<void>((resolve) => next.once('end', resolve));
    let fault: unknown;
    next.on('error', (error) => (fault = error));
    next.on('notification', ({ payload = '' }) => {
      heard(payload);
    });
    try {
      await next.connect();
      next.unref();
      await next.query(`LISTEN ${CHANNEL}`);
      if (failures > 0) log.info({}, 'news of other processes are heard again');
      failures = 0;
      void over.then(() => again(fault));
    } catch (error) {
      void next.end().catch(() => undefined);
      void again(error);
    }
  };
  const again = async (fault: unknown) => {
    if (closing.signal.aborted) return;
    if (failures === 0) {
      log.warn(
        { fault: errorLocation(fault) },
        'news of other processes are not heard: the connection is lost',
      );
    }
    const ms = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    failures += 1;
    await pause(ms, undefined, { ref: false, signal: closing.signal }).then(listen, () => undefined);
  };
  await listen();

  return {
    tell(text) {
      db.raw('SELECT pg_notify(?, ?)', [CHANNEL, text]).catch((fault: unknown) => {
        log.warn({ fault: errorLocation(fault) }, 'other processes could not be told');
      });
    },
    async close() {
      closing.abort();
      await Promise.race([client?.end(), pause(GOODBYE_MS, undefined, { ref: false })]);
    },
  };
}
