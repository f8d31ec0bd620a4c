import type { Timestamp } from '../base/ids.js';
import type { BudgetPeriod } from './budget.js';

export interface PeriodBounds {
  readonly start: Timestamp;
  /** Undefined for one that never ends. */
  readonly end: Timestamp | undefined;
}

/** Sorts before every time: a period that has no beginning of its own. */
const EVER = '1970-01-01T00:00:00.000Z';

/** The period that this moment lies in, as the clocks of the zone show it; weeks begin on Monday. */
export function periodAt(now: Date, period: BudgetPeriod, timezone: string): PeriodBounds {
  if (period === 'total') return { start: EVER, end: undefined };
  // To make one takes longer than all that is asked of it.
  const clocks = formatFor(timezone);
  const [year, month, day] = localDate(now, clocks);
  const [from, to] = datesOf(period, year, month, day);
  return { start: midnight(from, clocks), end: midnight(to, clocks) };
}

/** Days since 1970 of the first day, and of the first one after it. */
function datesOf(period: 'day' | 'week' | 'month', year: number, month: number, day: number) {
  if (period === 'month') return [daysTo(year, month, 1), daysTo(year, month + 1, 1)] as const;
  const today = daysTo(year, month, day);
  if (period === 'day') return [today, today + 1] as const;
  // 1 January 1970 was a Thursday.
  const monday = today - ((((today + 3) % DAYS_A_WEEK) + DAYS_A_WEEK) % DAYS_A_WEEK);
  return [monday, monday + DAYS_A_WEEK] as const;
}

const DAYS_A_WEEK = 7;
const DAY_MS = 86_400_000;

const daysTo = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day) / DAY_MS;

/**
 * The first moment of the day. Where clocks are put forward at midnight there is no 00:00, and the day begins with what
 * they show instead; where they are put back over it, it begins with the first of the two.
 */
function midnight(days: number, clocks: Intl.DateTimeFormat): Timestamp {
  const wall = days * DAY_MS;
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((near) => offsetAt(new Date(near), clocks));
  const candidates = offsets.map((offset) => wall - offset).sort((a, b) => a - b);
  const begins = candidates.find((at) => at + offsetAt(new Date(at), clocks) >= wall);
  return new Date(begins ?? wall).toISOString();
}

/** By how much clocks there are ahead of UTC, in milliseconds. */
function offsetAt(at: Date, clocks: Intl.DateTimeFormat): number {
  const [year, month, day, hour, minute, second] = localDate(at, clocks);
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at.getTime() / 1000) * 1000;
}

type LocalDate = readonly [
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
];

function localDate(at: Date, clocks: Intl.DateTimeFormat): LocalDate {
  const parts = new Map(clocks.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  return [part('year'), part('month'), part('day'), part('hour'), part('minute'), part('second')];
}

function formatFor(timezone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
    timeZone: timezone,
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' },
  });
}

export function isTimezone(name: string): boolean {
  try {
    formatFor(name);
    return true;
  } catch {
    return false;
  }
}
