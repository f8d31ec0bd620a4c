import type { Activity } from './core/activity.js';

/** How many learners a course has; null where its platform does not say, or not in time. */
export type RosterOf = (activity: Activity) => Promise<number | null>;

/** How long somebody waits for a platform that may be slow. */
const PATIENCE_MS = 3_000;
const FRESH_MS = 5 * 60_000;
const MOST_KEPT = 500;

interface Known {
  readonly size: Promise<number | null>;
  readonly askedAt: number;
}

/** Asks a platform once in a while for each course, however many look. What failed is asked again just as seldom. */
export function createRosterSizes(
  read: (activity: Activity) => Promise<number | null>,
  now: () => number = Date.now,
): RosterOf {
  const known = new Map<number, Known>();

  const ask = (activity: Activity): Promise<number | null> => {
    const size = read(activity).catch(() => null);
    known.delete(activity.id);
    known.set(activity.id, { size, askedAt: now() });
    for (const oldest of known.keys()) {
      if (known.size <= MOST_KEPT) break;
      known.delete(oldest);
    }
    return size;
  };

  return async (activity) => {
    if (activity.services.membershipsUrl === undefined) return null;
    const last = known.get(activity.id);
    const isFresh = last !== undefined && now() - last.askedAt < FRESH_MS;
    return inTime(isFresh ? last.size : ask(activity));
  };
}

async function inTime(size: Promise<number | null>): Promise<number | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null);
  });
  return Promise.race([size, late]).finally(() => {
    clearTimeout(timer);
  });
}
