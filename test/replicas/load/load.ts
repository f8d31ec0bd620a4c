import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from '../../support/service.js';
import { SCALE } from '../scale.js';

/**
 * What came of one request. `told`: the service has said that it is done, so it must be there at the end, once. `refused`:
 * it has said that it is not (503 with Retry-After, or a stream with an error at its end). `torn`: the connection broke,
 * and nobody knows. `over`: what was there to be used has been used up.
 */
export type Outcome = 'told' | 'refused' | 'torn' | 'over';

/** What is not there although somebody was told so, and what is there more than once. */
export interface Audit {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
}

/** One kind of thing that people do all the time. */
export interface Activity {
  readonly name: string;
  readonly people: number;
  /** One request; undefined when there was nothing to do at the moment. */
  act(person: number): Promise<Outcome | undefined>;
  /** Reads everything back, when nobody acts any more. */
  audit(): Promise<Audit>;
}

export interface Load {
  /** How often each outcome was seen, of one activity or of all. */
  count(outcome: Outcome, activity?: string): number;
  /** Whatever no client may see: an answer of another kind, a stream that ends as if it was whole, and the like. */
  readonly faults: readonly string[];
  /** Until so many more have been told, whatever they asked for. */
  untilTold(more: number, withinMs?: number): Promise<void>;
  /** Until something has been told to somebody at everything that people do, or there was nothing left to do. */
  untilAllTold(withinMs?: number): Promise<void>;
  end(): Promise<void>;
}

const BETWEEN_LOOKS_MS = 20;

/** All people act beside each other, each of them again and again. */
export function startLoad(activities: readonly Activity[]): Load {
  const counts = new Map<string, number>();
  const faults: string[] = [];
  let over = false;
  const count = (outcome: Outcome, activity?: string) =>
    (activity === undefined ? activities.map(({ name }) => name) : [activity]).reduce(
      (sum, name) => sum + (counts.get(`${name} ${outcome}`) ?? 0),
      0,
    );
  const live = async ({ name, act }: Activity, person: number, beginsAfterMs: number) => {
    await delay(beginsAfterMs);
    while (!over) {
      const acting = act(person).catch((error: unknown) => {
        faults.push(`${name}: ${String(error)}`);
        return undefined;
      });
      const [outcome] = await Promise.all([acting, delay(SCALE.betweenActsMs)]);
      if (outcome) counts.set(`${name} ${outcome}`, (counts.get(`${name} ${outcome}`) ?? 0) + 1);
    }
  };
  const until = async (isSo: () => boolean, withinMs: number) => {
    const end = Date.now() + withinMs;
    while (!isSo()) {
      if (Date.now() > end) throw new Error(`Not so much was done in time: ${JSON.stringify([...counts])}`);
      await delay(BETWEEN_LOOKS_MS);
    }
  };
  const people = activities.flatMap((activity) =>
    Array.from({ length: activity.people }, (_, person) => ({ activity, person })),
  );
  // One after the other, so that somebody is in the middle of something whenever a blow comes.
  const lives = people.map(({ activity, person }, i) =>
    live(activity, person, (SCALE.betweenActsMs * i) / people.length),
  );
  return {
    count,
    faults,
    untilTold(more, withinMs = 60_000) {
      const wanted = count('told') + more;
      return until(() => count('told') >= wanted, withinMs);
    },
    // What a killed process was grading is free again after half a minute.
    untilAllTold: (withinMs = 90_000) =>
      until(() => activities.every(({ name }) => count('told', name) + count('over', name) > 0), withinMs),
    async end() {
      over = true;
      await Promise.all(lives);
    },
  };
}

/** The answer, if it says that it was done. Throws at one that nobody may get, be it only that it does not say when to come back. */
export async function sent<Body>(
  asking: Promise<Answer<Body>>,
): Promise<Answer<Body> | 'refused' | 'torn' | 'over'> {
  const answer = await unlessTorn(asking);
  return answer === 'torn' || answer.status < 300 ? answer : refusalIn(answer);
}

export function refusalIn({ status, headers, text }: Omit<Answer<unknown>, 'json'>): 'refused' | 'over' {
  if (status === 503 && /^\d+$/.test(headers.get('retry-after') ?? '')) return 'refused';
  if (status === 429 && text.includes('budget_exceeded')) return 'over';
  throw new Error(`${String(status)} (Retry-After: ${headers.get('retry-after') ?? 'none'}) ${text}`);
}

/** `fetch` says so of a connection that broke, and of nothing else here. */
export const unlessTorn = <T>(work: Promise<T>): Promise<T | 'torn'> =>
  work.catch((error: unknown) => {
    if (error instanceof TypeError) return 'torn';
    throw error;
  });

/** Of those that should be there once, as they are there. */
export function compare(told: readonly string[], found: readonly string[]): Audit {
  const times = new Map<string, number>();
  for (const each of found) times.set(each, (times.get(each) ?? 0) + 1);
  return {
    lost: told.filter((each) => !times.has(each)),
    doubled: [...times].filter(([, count]) => count > 1).map(([each]) => each),
  };
}
