import type { LogFacts } from './core/log.js';

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
