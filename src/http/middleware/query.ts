import { z } from 'zod';
import { badRequest } from '../../core/errors.js';
import type { Page } from '../../core/stores.js';
import type * as wire from '../contract/common.js';

/** `limit` and `cursor` of every list. */
export const PageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z.string().min(1).max(500).optional(),
});

export function pageOf<Row, Shown>(
  { data, nextCursor }: Page<Row>,
  show: (row: Row) => Shown,
): wire.Page<Shown> {
  return { data: data.map(show), next_cursor: nextCursor };
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_MS = 24 * 60 * 60 * 1000;
const USUAL_DAYS = 30;
/** Three years. */
const MOST_DAYS = 1_096;

/** `from` and `to` of lists: days, both of them included, or moments. Days are those of UTC. */
const Moment = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true })],
  'must be a day or a time, as in ISO 8601',
);
export const PeriodQuery = z.object({ from: Moment.optional(), to: Moment.optional() });
type Asked = z.output<typeof PeriodQuery>;

export interface Period {
  /** From this moment on. */
  readonly since: string;
  /** Up to this moment, and not at it. */
  readonly before: string;
}

export function periodOf({ from, to }: Asked): Partial<Period> {
  return {
    ...(from === undefined ? {} : { since: new Date(from).toISOString() }),
    ...(to === undefined ? {} : { before: endOf(to) }),
  };
}

/** With both its ends: thirty days up to today, or to or from the end that was given. */
export function reportedPeriod({ from, to }: Asked, now: Date): Period {
  const last = to ?? dayOf(now.getTime());
  const first = from ?? dayOf(Date.parse(last) - (USUAL_DAYS - 1) * DAY_MS);
  const period = { since: new Date(first).toISOString(), before: endOf(last) };
  if (period.since >= period.before) throw badRequest('"from" must not be later than "to".', 'from');
  if (daysOf(period).length > MOST_DAYS) {
    throw badRequest(`A period may have ${String(MOST_DAYS)} days at most.`, 'from');
  }
  return period;
}

/** Every day of it, whole or in part. */
export function daysOf({ since, before }: Period): readonly string[] {
  const days: string[] = [];
  const end = Date.parse(before);
  for (let at = Date.parse(since.slice(0, 10)); at < end && days.length <= MOST_DAYS; at += DAY_MS) {
    days.push(dayOf(at));
  }
  return days;
}

function endOf(to: string): string {
  return new Date(Date.parse(to) + (DAY.test(to) ? DAY_MS : 0)).toISOString();
}

function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
