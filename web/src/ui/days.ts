export interface Days {
  readonly from: string;
  readonly to: string;
}

/** So many days up to and with today, as `2027-01-31`. The service counts in days of UTC. */
export function lastDays(count: number, now = Date.now()): Days {
  const DAY_MS = 24 * 60 * 60 * 1000;
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { from: day(now - (count - 1) * DAY_MS), to: day(now) };
}

/** Noon is on the same day wherever somebody is. */
export const noonOf = (day: string): string => `${day}T12:00:00`;
