import type { TranscriptPolicy } from '../core/lti/activity.js';
import type { StudentDay } from '../core/lti/activity-insight.js';

/** Of fewer students than that, figures would tell who asked what. */
export const FEWEST_STUDENTS = 5;

/** Which days may be counted, and which of them may be shown by themselves. */
export interface ShownDays {
  readonly counted: ReadonlySet<string>;
  readonly shown: ReadonlySet<string>;
}

interface AskedPeriod {
  /** Every day of the period, in order. */
  readonly days: readonly string[];
  /** Today's: what was said under a stricter one stays under that. */
  readonly policy: TranscriptPolicy;
}

/**
 * Whoever may choose the period can take one sum from another. So nothing is ever counted but whole cells that are the
 * same whatever the period is, each of at least five students: a day, or what is left of a week that is over and wholly
 * within the period, once the days that stand by themselves are taken out. All figures (questions, tools, cost,
 * students) are sums over the same cells, and the difference of two of them is a sum of cells again.
 */
export function shownDays(asked: readonly StudentDay[], { days, policy }: AskedPeriod): ShownDays {
  const byDay = grouped(asked, ({ day }) => day);
  const isOpen = (day: string) => policy === 'named' && (byDay.get(day) ?? []).every(({ named }) => named);
  const isLarge = (day: string) => studentsOf(byDay.get(day) ?? []) >= FEWEST_STUDENTS;
  const alone = days.filter((day) => isOpen(day) || isLarge(day));
  const small = days.filter((day) => byDay.has(day) && !isOpen(day) && !isLarge(day));
  const pooled = weeksWithin(days).flatMap((week) => {
    const left = small.filter((day) => week.has(day));
    const enough = studentsOf(left.flatMap((day) => byDay.get(day) ?? [])) >= FEWEST_STUDENTS;
    return enough ? left : [];
  });
  return {
    counted: new Set([...alone, ...pooled]),
    // That nobody asked anything is nobody's secret.
    shown: new Set([...alone, ...days.filter((day) => !byDay.has(day))]),
  };
}

export function studentsOf(asked: readonly StudentDay[]): number {
  return new Set(asked.map(({ userId }) => userId)).size;
}

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** From Monday to Sunday. The last day is today, which is not over, and with it its week. */
function weeksWithin(days: readonly string[]): readonly ReadonlySet<string>[] {
  const over = days.slice(0, -1);
  const weeks = grouped(over, mondayOf);
  return [...weeks.values()].filter((week) => week.length === WEEK_DAYS).map((week) => new Set(week));
}

function mondayOf(day: string): number {
  const at = Date.parse(day);
  const sinceMonday = (new Date(at).getUTCDay() + WEEK_DAYS - 1) % WEEK_DAYS;
  return at - sinceMonday * DAY_MS;
}

function grouped<Key, Value>(
  values: readonly Value[],
  keyOf: (value: Value) => Key,
): ReadonlyMap<Key, readonly Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(value);
  }
  return groups;
}
