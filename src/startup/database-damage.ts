import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const MOST_SHOWN = 3;

/** For whoever looks after the service: what was found, that nothing was changed, and what to do. */
export class DamagedDatabase extends Error {
  constructor(file: string, faults: readonly string[]) {
    const more = faults.length > MOST_SHOWN ? ['…'] : [];
    super(
      [
        `the database ${file} is damaged, and nothing was changed in it.`,
        ...[...faults.slice(0, MOST_SHOWN), ...more].map((fault) => `  - ${fault.replaceAll('\n', ' ')}`),
        'Put back a backup of the whole data folder. Without one, move the file and those beside it (-wal, -shm) away',
        'and save what can be read with "sqlite3 FILE .recover". Check the disk: SQLite does not damage files by itself.',
        '"npm run doctor" looks through everything.',
      ].join('\n'),
    );
  }
}

/** There as long as the service is stopped and was stopped in good order. */
const FILE = 'stopped-in-good-order';

/** Synchronous: it is the last thing the process does. Where it cannot be written, the next start looks more closely. */
export function noteCleanStop(dataDir: string): void {
  try {
    if (existsSync(dataDir)) writeFileSync(join(dataDir, FILE), '', { mode: 0o600 });
  } catch {
    // The next start then checks the database as after a kill.
  }
}

/** Whether the last stop was one; from now on it counts as killed until it is stopped again. */
export function takeCleanStop(dataDir: string): boolean {
  const file = join(dataDir, FILE);
  const wasClean = existsSync(file);
  if (wasClean) rmSync(file);
  return wasClean;
}
