/** Work that is done at once and then again and again, never twice at the same time. */
export interface Rounds {
  /** Resolves when the round that is under way has ended. */
  stop(): Promise<void>;
}

interface Work {
  readonly everyMs: number;
  /** Ends soon after the signal. */
  readonly round: (signal: AbortSignal) => Promise<void>;
  /** What fails is tried again the next time. */
  readonly failed: (fault: unknown) => void;
}

export function startRounds({ everyMs, round, failed }: Work): Rounds {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let working = Promise.resolve();

  const begin = () => {
    working = round(stopping.signal)
      .catch(failed)
      .then(() => {
        if (!stopping.signal.aborted) timer = setTimeout(begin, everyMs).unref();
      });
  };
  begin();

  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await working;
    },
  };
}
