import type { Changes, Generations } from './table-versions.js';

/**
 * Asks the database each time. Who comes while a question is on its way waits for the next one, together with all
 * others that do: an answer must not be older than whoever gets it.
 */
export function createAskedChanges(ask: () => Promise<Generations>): Changes {
  let asking: Promise<Generations> | undefined;
  let next: Promise<Generations> | undefined;

  const begin = (): Promise<Generations> => {
    next = undefined;
    const question = ask().finally(() => {
      if (asking === question) asking = undefined;
    });
    asking = question;
    return question;
  };
  return {
    now: () => (asking ? (next ??= asking.then(begin, begin)) : begin()),
  };
}
