import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** There as long as the service is stopped and was stopped in good order. */
const FILE = 'stopped-in-good-order';

/** Synchronous: it is the last thing the process does. Where it cannot be written, the next start looks more closely. */
export function noteCleanStop(dataDir: string): void {
  try {
    if (existsSync(dataDir)) writeFileSync(join(dataDir, FILE), '', { mode: 0o600 });
  } catch {
    // As if it had been killed.
  }
}

/** Whether the last stop was one; from now on it counts as killed until it is stopped again. */
export function takeCleanStop(dataDir: string): boolean {
  const file = join(dataDir, FILE);
  const wasClean = existsSync(file);
  if (wasClean) rmSync(file);
  return wasClean;
}
