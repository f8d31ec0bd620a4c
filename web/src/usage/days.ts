import type { Days } from './usage-api.ts';

/** A day of the calendar here, as `2027-01-31`. */
export function dayOf(date: Date): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${String(date.getFullYear())}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** So many days up to and with today. */
export function lastDays(count: number, today = new Date()): Days {
  const first = new Date(today);
  first.setDate(first.getDate() - (count - 1));
  return { from: dayOf(first), to: dayOf(today) };
}

/** Noon is on the same day wherever somebody is. */
export const noonOf = (day: string): string => `${day}T12:00:00`;
