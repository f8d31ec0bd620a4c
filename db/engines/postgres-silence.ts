import type { Knex } from 'knex';
import { NotReached } from './postgres-away.js';

/** Held for longer than this, a connection may be one that nobody answers any more: then the server is called. */
const HELD_MS = 1_000;
const LOOK_EVERY_MS = 250;
/** One call may go unanswered because this process itself got no time from its machine. */
const CALLS_IN_VAIN = 2;

/** Of the driver, whose types do not tell it: to end in good order would mean to wait for the server's answer. */
interface Connection {
  readonly connection: { readonly stream: { destroy(): void } };
}

/** What knex has but its types do not tell. */
interface Pool {
  on(
    event: 'createSuccess' | 'acquireSuccess' | 'destroyRequest',
    hear: (eventId: number, connection: Connection) => void,
  ): void;
  on(event: 'release', hear: (connection: Connection) => void): void;
  on(event: 'createFail', hear: (eventId: number, fault: Error) => void): void;
  on(event: 'poolDestroyRequest', hear: () => void): void;
}

/** Whether somebody is there at all, be it to say no. It has to settle within a few seconds. */
type Call = () => Promise<boolean>;

/**
 * A server that hangs, or a network that swallows what is sent, closes no connection: a statement would wait for as long
 * as TCP does, which is a quarter of an hour. So while a connection is held for long, the server is called on a new one.
 * When that is not answered either, all connections are ended, and until the server answers again nobody is kept waiting:
 * the function that is returned tells why they are refused. A statement that merely takes its time is left alone.
 */
export function endWhenSilent(db: Knex, call: Call): () => Error | undefined {
  const { pool } = db.client as { readonly pool: Pool };
  const open = new Set<Connection>();
  const heldSince = new Map<Connection, number>();
  let looking: NodeJS.Timeout | undefined;
  let calling = false;
  let inVain = 0;
  let isSilent = false;
  let isClosed = false;

  const stopLooking = () => {
    clearInterval(looking);
    looking = undefined;
  };
  const startLooking = () => setInterval(look, LOOK_EVERY_MS).unref();
  const becomeSilent = () => {
    if (isClosed) return;
    isSilent = true;
    for (const { connection } of open) connection.stream.destroy();
    looking ??= startLooking();
  };
  const callServer = async () => {
    calling = true;
    const isThere = await call();
    calling = false;
    inVain = isThere ? 0 : inVain + 1;
    if (isThere) isSilent = false;
    else if (inVain >= CALLS_IN_VAIN && isHeldForLong()) becomeSilent();
  };
  const isHeldForLong = () => {
    const longAgo = performance.now() - HELD_MS;
    for (const since of heldSince.values()) if (since < longAgo) return true;
    return false;
  };
  function look(): void {
    if (!isSilent && heldSince.size === 0) stopLooking();
    else if (!calling && (isSilent || isHeldForLong())) void callServer();
  }

  pool.on('createSuccess', (_id, connection) => open.add(connection));
  // That there is no answer to a new connection has taken long enough to find out once.
  pool.on('createFail', (_id, { message }) => {
    if (message === 'timeout expired') becomeSilent();
  });
  pool.on('acquireSuccess', (_id, connection) => {
    heldSince.set(connection, performance.now());
    looking ??= startLooking();
  });
  pool.on('release', (connection) => heldSince.delete(connection));
  pool.on('destroyRequest', (_id, connection) => {
    heldSince.delete(connection);
    open.delete(connection);
  });
  pool.on('poolDestroyRequest', () => {
    isClosed = true;
    stopLooking();
  });
  return () => (isSilent ? new NotReached() : undefined);
}
