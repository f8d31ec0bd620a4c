import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../core/errors.js';
import type { Logger } from '../core/log.js';

/** Longer than a PostgreSQL takes that is started together with the service. */
const MOST_WAIT_MS = 30_000;
const AGAIN_AFTER_MS = 500;

/**
 * Whoever starts both at once need not start one after the other. A database that stays away ends the start: then
 * whoever started the service sees why, and starts it anew or mends the address.
 */
export async function whenDatabaseIsThere<T>(open: () => Promise<T>, log: Logger): Promise<T> {
  const startedAt = performance.now();
  let isTold = false;
  for (;;) {
    try {
      return await open();
    } catch (fault) {
      if (!isDatabaseAway(fault) || performance.now() - startedAt > MOST_WAIT_MS) throw fault;
      if (!isTold) log.warn({ mostMs: MOST_WAIT_MS }, 'the database cannot be reached: waiting for it');
      isTold = true;
      await pause(AGAIN_AFTER_MS);
    }
  }
}

const isDatabaseAway = (fault: unknown) => fault instanceof AppError && fault.code === 'database_unavailable';
