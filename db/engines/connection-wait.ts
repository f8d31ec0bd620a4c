import type { Knex } from 'knex';
import { unavailable } from '../../src/core/errors.js';

/** After so long in which nobody else got on either, those who wait for a connection are refused. */
const MOST_STILL_MS = 5_000;

const LOOK_EVERY_MS = 250;
/** A look that comes later than this means that the process itself was kept waiting: that is nobody's fault here. */
const MOST_BETWEEN_LOOKS_MS = 2 * LOOK_EVERY_MS;

/** What knex has but its types do not tell. */
interface Pool {
  acquire(): Acquiring;
  on(event: 'acquireSuccess', hear: (eventId: number, connection: object) => void): void;
  on(event: 'release', hear: (connection: object) => void): void;
}

interface Acquiring {
  readonly promise: Promise<unknown>;
  reject(reason: Error): void;
}

interface Waiter {
  readonly acquiring: Acquiring;
  readonly since: number;
}

/**
 * Whoever waits for a connection waits as long as those before them get on, however long the line is: a class that
 * comes at once is served one after the other. They are refused when nothing moves, which is when a connection is held
 * for as long as that. Only time counts in which this process was running: one that got no time from its machine has
 * kept everybody waiting itself. How long each waited, be it not at all, is told to `waited`. While there is a `refusal`
 * nobody waits at all.
 */
export function waitInTurn(
  db: Knex,
  waited: (ms: number) => void = () => undefined,
  refusal: () => Error | undefined = () => undefined,
): void {
  const { pool } = db.client as { readonly pool: Pool };
  const acquire = pool.acquire.bind(pool);
  const waiting = new Set<Waiter>();
  const takenAt = new WeakMap<object, number>();
  let clock = 0;
  let movedAt = 0;
  let lookedAt = 0;
  let looking: NodeJS.Timeout | undefined;

  const look = () => {
    const now = performance.now();
    clock += Math.min(now - lookedAt, MOST_BETWEEN_LOOKS_MS);
    lookedAt = now;
    const refused = refusal();
    for (const { acquiring, since } of waiting) {
      if (refused) acquiring.reject(refused);
      else if (clock - Math.max(since, movedAt) >= MOST_STILL_MS) acquiring.reject(databaseBusy());
    }
    if (waiting.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  };
  const startLooking = () => {
    lookedAt = performance.now();
    return setInterval(look, LOOK_EVERY_MS).unref();
  };

  pool.on('acquireSuccess', (_id, connection) => {
    takenAt.set(connection, clock);
  });
  pool.on('release', (connection) => {
    // Whoever held it for so long may have got nowhere.
    if (clock - (takenAt.get(connection) ?? clock) < MOST_STILL_MS - LOOK_EVERY_MS) movedAt = clock;
  });
  pool.acquire = () => {
    const refused = refusal();
    if (refused) return { promise: Promise.reject(refused), reject: () => undefined };
    const waiter = { acquiring: acquire(), since: clock };
    const askedAt = performance.now();
    const forget = () => waiting.delete(waiter);
    waiting.add(waiter);
    looking ??= startLooking();
    waiter.acquiring.promise.then(() => {
      forget();
      waited(performance.now() - askedAt);
    }, forget);
    return waiter.acquiring;
  };
}

const databaseBusy = () => unavailable('The database is busy. Try again in a moment.', 'database_busy');
