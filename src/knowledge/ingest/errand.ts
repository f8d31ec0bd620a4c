export interface Errand {
  /** Now, or once more when it is being done already. */
  ask(): void;
  /** Resolves when nothing of it is under way. */
  settled(): Promise<void>;
}

/** Something that is done whenever it is asked for, and never twice at the same time. `run` does not reject. */
export function createErrand(run: () => Promise<void>): Errand {
  let underWay: Promise<void> | undefined;
  let again = false;
  const goOn = async () => {
    do {
      again = false;
      await run();
      // What was asked for meanwhile may not have been seen.
    } while (again);
    underWay = undefined;
  };
  return {
    ask() {
      if (underWay) again = true;
      else underWay = goOn();
    },
    settled: () => underWay ?? Promise.resolve(),
  };
}
