import { setTimeout as pause } from 'node:timers/promises';
import type { Connector, ModelReply, ModelRequest } from '../src/core/connector.js';
import { AppError } from '../src/core/errors.js';
import type { RunContext } from '../src/core/run-context.js';

const RETRIES = 2;
const FIRST_PAUSE_MS = 300;
const LONGEST_TRYING_MS = 60_000;

/** The one retry loop. Connectors say whether a fault may be retried; after the first byte it never may. */
export async function* speakWithRetries(
  connector: Connector,
  request: ModelRequest,
  ctx: RunContext,
): AsyncGenerator<string, ModelReply> {
  const giveUpAt = Date.now() + LONGEST_TRYING_MS;
  for (let retry = 0; ; retry++) {
    try {
      return yield* connector.speak(request, ctx);
    } catch (fault) {
      const wait = pauseBefore(fault, retry);
      if (wait === undefined || retry === RETRIES || Date.now() + wait > giveUpAt) throw fault;
      ctx.log.info({ connector: connector.name, retry: retry + 1, wait }, 'model call is tried again');
      await pause(wait, undefined, { signal: ctx.signal });
    }
  }
}

function pauseBefore(fault: unknown, retry: number): number | undefined {
  if (!(fault instanceof AppError) || !fault.retryable) return undefined;
  if (fault.retryAfterSeconds !== undefined) return fault.retryAfterSeconds * 1000;
  // Spread out, so that a class of students does not come back all at once.
  return FIRST_PAUSE_MS * 2 ** retry * (1 + Math.random());
}
