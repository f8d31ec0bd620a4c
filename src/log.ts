import { type DestinationStream, pino } from 'pino';
import type { Logger } from './core/log.js';
import type { Redactor } from './core/redactor.js';

/** JSON lines. The redactor stands at the very end, so whatever a line was made of passes it. */
export function createLogger(level: string, redactor: Redactor, out: DestinationStream): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    {
      write: (line) => {
        out.write(redactor.redact(line));
      },
    },
  );
}
