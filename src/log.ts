import { type DestinationStream, pino } from 'pino';
import type { Logger, LogFacts } from './core/log.js';
import type { Redactor } from './core/redactor.js';
import { shortLine } from './short-line.js';

/** JSON lines. Every fact passes the redactor on its way into a line. */
export function createLogger(level: string, redactor: Redactor, out: DestinationStream): Logger {
  return pino({ ...options(level, redactor), base: null }, out);
}

/** For one of several processes that write to the same place: says which, in lines that none can cut into. */
export function createSharedLogger(
  level: string,
  redactor: Redactor,
  out: DestinationStream,
  pid: number,
): Logger {
  return pino({ ...options(level, redactor), base: { pid }, hooks: { streamWrite: shortLine } }, out);
}

function options(level: string, redactor: Redactor) {
  return {
    level,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: (facts: object) => redactor.redactIn(facts) as LogFacts },
  };
}
