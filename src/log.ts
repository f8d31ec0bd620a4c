import { type DestinationStream, pino } from 'pino';
import type { Redactor } from './core/base/redactor.js';
import type { Logger } from './core/log.js';
import { shortLine } from './short-line.js';

/** JSON lines. Each passes the redactor on its way out. */
export function createLogger(level: string, redactor: Redactor, out: DestinationStream): Logger {
  return pino({ ...options(level), base: null, hooks: { streamWrite: redacting(redactor) } }, out);
}

/** For one of several processes that write to the same place: says which, in lines that none can cut into. */
export function createSharedLogger(
  level: string,
  redactor: Redactor,
  out: DestinationStream,
  pid: number,
): Logger {
  const redacted = redacting(redactor);
  const streamWrite = (line: string) => shortLine(redacted(line));
  return pino({ ...options(level), base: { pid }, hooks: { streamWrite } }, out);
}

function options(level: string) {
  return { level, timestamp: pino.stdTimeFunctions.isoTime };
}

/** Nearly every line may go as it is. Escapes would hide what to look for, so a line with any is taken apart. */
function redacting({ redact, redactIn }: Redactor): (line: string) => string {
  return (line) => {
    const isClean = !line.includes('\\') && redact(line) === line;
    return isClean ? line : `${JSON.stringify(redactIn(JSON.parse(line)))}\n`;
  };
}
