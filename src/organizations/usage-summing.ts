import { type Rounds, startRounds } from '../core/base/rounds.js';
import { errorLocation, type Logger } from '../core/log.js';
import type { UsageStore } from '../core/runs/usage.js';

/** What comes between two times is read from the ledger, row by row. */
const EVERY_MS = 600_000;

/** Adds up what was used by day, at once and then every ten minutes. */
export function keepUsageSums({
  usage,
  log,
}: {
  readonly usage: Pick<UsageStore, 'addUp'>;
  readonly log: Logger;
}): Rounds {
  return startRounds({
    everyMs: EVERY_MS,
    async round(signal) {
      while (!signal.aborted && (await usage.addUp()));
    },
    failed: (fault) => {
      log.error({ fault: errorLocation(fault) }, 'adding up what was used failed');
    },
  });
}
