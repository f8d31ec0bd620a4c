import { setTimeout as delay } from 'node:timers/promises';

const BETWEEN_LOOKS_MS = 50;

/** Looks until it is so. Throws when a look that began after that time still finds it otherwise, however long it took. */
export async function eventually<T>(
  look: () => Promise<T>,
  isSo: (seen: T) => boolean,
  withinMs = 30_000,
): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const isLast = Date.now() >= end;
    const seen = await look();
    if (isSo(seen)) return seen;
    if (isLast) throw new Error(`Waited in vain; the last seen is ${JSON.stringify(seen)}`);
    await delay(BETWEEN_LOOKS_MS);
  }
}
