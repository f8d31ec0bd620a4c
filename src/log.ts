import { type DestinationStream, pino } from 'pino';
import type { Logger, LogFacts } from './core/log.js';
import type { Redactor } from './core/redactor.js';

/** JSON lines. Every fact passes the redactor on its way into a line. */
export function createLogger(level: string, redactor: Redactor, out: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: (facts) => redactor.redactIn(facts) as LogFacts },
    },
    out,
  );
}
