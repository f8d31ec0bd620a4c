import { errorLocation, type Logger } from '../core/log.js';
import type { UsageStore } from '../core/runs/usage.js';

/** What comes between two times is read from the ledger, row by row. */
const EVERY_MS = 600_000;

export interface UsageSumming {
  stop(): Promise<void>;
}

/** Adds up what was used by day, at once and then every ten minutes. What fails is tried again the next time. */
export function keepUsageSums({
  usage,
  log,
}: {
  readonly usage: Pick<UsageStore, 'addUp'>;
  readonly log: Logger;
}): UsageSumming {
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let adding = Promise.resolve();

  const round = async () => {
    try {
      while (!isStopping && (await usage.addUp()));
    } catch (fault) {
      log.error({ fault: errorLocation(fault) }, 'adding up what was used failed');
    }
    if (!isStopping) timer = setTimeout(begin, EVERY_MS).unref();
  };
  const begin = () => {
    adding = round();
  };
  begin();

  return {
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      await adding;
    },
  };
}
