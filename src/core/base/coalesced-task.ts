export interface CoalescedTask {
  /** Now, or once more when it is being done already. */
  ask(): void;
  isBusy(): boolean;
  /** Resolves when nothing of it is under way. */
  settled(): Promise<void>;
}

/** Something that is done whenever it is asked for, and never twice at the same time. `run` does not reject. */
export function createCoalescedTask(run: () => Promise<void>): CoalescedTask {
  let underWay: Promise<void> | undefined;
  let asked = 0;
  const goOn = async () => {
    // What was asked for meanwhile may not have been seen.
    for (let seen = 0; seen !== asked;) {
      seen = asked;
      await run();
    }
    underWay = undefined;
  };
  return {
    ask() {
      asked += 1;
      underWay ??= goOn();
    },
    isBusy: () => underWay !== undefined,
    settled: () => underWay ?? Promise.resolve(),
  };
}
