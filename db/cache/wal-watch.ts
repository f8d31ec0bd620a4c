import { openSync, readSync } from 'node:fs';
import { nextTick } from 'node:process';
import type { Changes, Generations } from './table-versions.js';

/** The first copy of the header: versions, counters of transactions and frames, checksums. */
const HEADER_BYTES = 48;

/**
 * SQLite keeps the header of its WAL index in a file that all processes share, and changes it with every commit. While
 * it is as it was, nothing at all has been written, which takes a microsecond to see; else the generations are asked for.
 */
export function createWalChanges(databaseFile: string, ask: () => Promise<Generations>): Changes {
  // Never closed: closing any descriptor of this file would drop the locks that SQLite holds on it.
  const index = openSync(`${databaseFile}-shm`, 'r');
  const fresh = Buffer.alloc(HEADER_BYTES);
  let known: { readonly header: Buffer; readonly generations: Generations } | undefined;
  let isFresh = false;
  let asking: { readonly header: Buffer; readonly answer: Promise<Generations> } | undefined;

  const forget = () => {
    isFresh = false;
  };

  /** The header is read before the question, so that whatever is written meanwhile shows as a change. */
  async function askAt(header: Buffer): Promise<Generations> {
    try {
      const generations = await ask();
      known = { header, generations };
      return generations;
    } finally {
      if (asking?.header === header) asking = undefined;
    }
  }

  return {
    now() {
      if (known && isFresh) return known.generations;
      readSync(index, fresh, 0, HEADER_BYTES, 0);
      if (known && fresh.equals(known.header)) {
        // Whoever asks again before anything else is read from outside could as well have asked now.
        isFresh = true;
        nextTick(forget);
        return known.generations;
      }
      if (!asking || !fresh.equals(asking.header)) {
        const header = Buffer.from(fresh);
        asking = { header, answer: askAt(header) };
      }
      return asking.answer;
    },
  };
}
