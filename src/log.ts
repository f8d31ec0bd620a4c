import { type DestinationStream, pino } from 'pino';
import type { Redactor } from './core/base/redactor.js';
import type { LogFacts, Logger } from './core/log.js';

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

/** What a pipe takes in one piece: of several processes that write to one, none cuts into the line of another. */
export const LONGEST_LINE = 4096;

/** The line as it is, or with its longest facts cut until it fits. */
export function shortLine(line: string): string {
  if (Buffer.byteLength(line) <= LONGEST_LINE) return line;
  const facts = JSON.parse(line) as LogFacts;
  for (let most = LONGEST_LINE / 4; ; most = Math.floor(most / 2)) {
    const shorter = `${JSON.stringify({ ...cutTo(most, facts), cut: true })}\n`;
    if (most === 0 || Buffer.byteLength(shorter) <= LONGEST_LINE) return shorter;
  }
}

function cutTo(most: number, facts: LogFacts): LogFacts {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [name, text.length > most ? text.slice(0, most) : value];
    }),
  );
}
