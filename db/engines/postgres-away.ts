import { AppError, unavailable } from '../../src/core/errors.js';
import { codeOf } from '../query/refusals.js';

const AWAY = 'database_unavailable';

/** Of the network on the way to it. */
const NETWORK = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['ENETDOWN', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'ERR_STREAM_DESTROYED'],
]);
/** Connection faults, too few resources, shutting down or starting, only a copy that cannot be written to. */
const STATES = /^(08...|53...|57P0[1-5]|25006)$/;
/** What the driver says without a code; knex puts the statement before it. */
const WORDS =
  /(^|- )(Connection terminated( unexpectedly| due to connection timeout)?|Connection ended unexpectedly|Client (has encountered a connection error|was closed) and is not queryable|timeout expired|Query read timeout)$/;

const MESSAGE = 'The database cannot be reached. Try again in a moment.';

/** There was no connection to be had: whatever was to be asked has not been asked. */
export class NotReached extends AppError {
  constructor(cause?: unknown) {
    super(MESSAGE, { status: 503, type: 'api_error', code: AWAY, retryAfterSeconds: 5, cause });
  }
}

/** Tells in our words that PostgreSQL is not there; any other fault stays what it is. */
export function orAway(fault: unknown): never {
  throw isOfConnection(fault) ? unavailable(MESSAGE, AWAY, fault) : fault;
}

/** The same of whoever wanted a connection. */
export function orNotReached(fault: unknown): never {
  throw isOfConnection(fault) ? new NotReached(fault) : fault;
}

/** Whether it was not there, so that nobody knows what became of the last thing it was asked to do. */
export function isAway(fault: unknown): fault is AppError {
  return fault instanceof AppError && fault.code === AWAY;
}

function isOfConnection(fault: unknown): boolean {
  if (!(fault instanceof Error)) return false;
  const code = codeOf(fault);
  return (
    NETWORK.has(code) || STATES.test(code) || fault.name === 'KnexTimeoutError' || WORDS.test(fault.message)
  );
}
