/** How long to wait before a worker that ended is replaced; undefined when it is no use to go on. */
export type RestartPace = (now: number) => number | undefined;

const WITHIN_MS = 60_000;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
const MOST_FOR_EACH = 5;

/** One that ends now and then is replaced at once. When they end again and again it takes longer, and then it is over. */
export function createRestartPace(workers: number): RestartPace {
  const ends: number[] = [];

  return (now) => {
    while (ends[0] !== undefined && ends[0] <= now - WITHIN_MS) ends.shift();
    ends.push(now);
    if (ends.length > workers * MOST_FOR_EACH) return undefined;
    return Math.min(FIRST_WAIT_MS * 2 ** (ends.length - 1), LONGEST_WAIT_MS);
  };
}
