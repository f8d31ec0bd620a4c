import type { Activity, ParticipantStore } from '../core/lti/activity.js';
import type { PlatformStore } from '../core/lti/platform.js';
import type { Lti } from '../lti/open.js';

/** How many learners a course has; null where its platform does not say, or not in time. */
export type RosterOf = (activity: Activity) => Promise<number | null>;

/** How long somebody waits for a platform that may be slow. */
const PATIENCE_MS = 3_000;
const FRESH_MS = 5 * 60_000;
const MOST_KEPT = 500;

interface ReadingDeps {
  readonly lti: Pick<Lti, 'protocol'>;
  readonly platforms: Pick<PlatformStore, 'get'>;
  readonly participants: Pick<ParticipantStore, 'instructorsOn'>;
}

/**
 * By names and roles, where the platform offers them. A course that is too large to be read to its end has no size.
 * Moodle's roster calls those who teach without editing learners; whoever came as an instructor is none.
 */
export function rosterReader({ lti, platforms, participants }: ReadingDeps): RosterOf {
  return async ({ platformId, services }) => {
    const platform = await platforms.get(platformId);
    if (platform?.kind !== '1.3' || services.membershipsUrl === undefined) return null;
    const { readMembers } = await lti.protocol();
    const { members, isComplete } = await readMembers(platform, services.membershipsUrl);
    if (!isComplete) return null;
    const teaching = await participants.instructorsOn(platformId, services.membershipsUrl);
    return members.filter(({ role, subject }) => role === 'learner' && !teaching.has(subject)).length;
  };
}

interface Known {
  readonly size: Promise<number | null>;
  readonly askedAt: number;
}

interface Pace {
  readonly now: () => number;
  readonly patienceMs: number;
}

/** Asks a platform once in a while for each course, however many look. What failed is asked again just as seldom. */
export function createRosterSizes(
  read: RosterOf,
  { now = Date.now, patienceMs = PATIENCE_MS }: Partial<Pace> = {},
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
    return inTime(isFresh ? last.size : ask(activity), patienceMs);
  };
}

async function inTime(size: Promise<number | null>, patienceMs: number): Promise<number | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, patienceMs, null);
  });
  return Promise.race([size, late]).finally(() => {
    clearTimeout(timer);
  });
}
